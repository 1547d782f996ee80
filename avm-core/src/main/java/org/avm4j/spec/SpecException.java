package org.avm4j.spec;

import java.util.function.UnaryOperator;

/**
 * A specification that makes no sense: an unknown option, a malformed value, or options that do not
 * go together. The message is one sentence; {@link #sentence} gives it in the spelling of a front
 * end, such as {@code --gamma} for {@code gamma}.
 */
public final class SpecException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final String sentence;
  private final String[] options;

  /**
   * A sentence about options.
   *
   * @param sentence what is wrong; the names of the options stand in braces, as in "{c} and
   *     {lambda} say the same"
   * @param options the names of these options
   */
  public SpecException(String sentence, String... options) {
    super(spelled(sentence, options, UnaryOperator.identity()));
    this.sentence = sentence;
    this.options = options.clone();
  }

  /** The message with the names of the options as a front end spells them. */
  public String sentence(UnaryOperator<String> spelling) {
    return spelled(sentence, options, spelling);
  }

  private static String spelled(String sentence, String[] options, UnaryOperator<String> spelling) {
    String text = sentence;
    for (String option : options) {
      text = text.replace("{" + option + "}", spelling.apply(option));
    }
    return text;
  }
}
