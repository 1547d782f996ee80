package org.avm4j.lab.paper;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.avm4j.Task;
import org.avm4j.table.Scaling;

/**
 * A data set of the catalogue.
 *
 * @param name its name here
 * @param paper its name in the paper's tables, or an empty text
 * @param title what it is, in a few words
 * @param isComplete whether it is the paper's data, row by row; else a subset or a stand-in
 * @param note what to mind
 * @param studies where it takes part without being asked for
 * @param task what is predicted
 * @param train the files, without their ending, that are learned from
 * @param test the files of the test split, if there is one
 * @param testShare the part that is held out for the batch study where there is no test split
 * @param fileRows how many rows each file has, in the order of {@link #files}
 * @param features how many features there are
 * @param classes how many classes there are, 0 for numbers
 * @param scaling how features are brought to a common range
 * @param labelShift taken from every label
 * @param labelRange by which what is left is divided
 * @param settings δ, size cap, budget and number of random features of the paper's tables
 * @param sources where each file can be fetched from; not every set has a public file that becomes
 *     this one
 * @param sourceChecksums SHA-256 of those of them whose makers or users tell it
 * @param coded the files whose source has texts, which are numbered in the order of the alphabet;
 *     with those, as COLUMN:TEXT, that are to be numbered too though the file does not have them
 * @param origin where the set comes from, in words, if no public file becomes it
 * @param sourceLabels for sources with columns, which one is the label
 * @param checksums SHA-256 of each file NAME.libsvm.gz as it is known
 * @param rowChecksums SHA-256 of the rows of a file as they are written here, not packed: it holds
 *     for a public file however that is packed and spaced
 */
public record DataSet(
    String name,
    String paper,
    String title,
    boolean isComplete,
    String note,
    List<Study> studies,
    Task task,
    List<String> train,
    List<String> test,
    double testShare,
    List<Long> fileRows,
    int features,
    int classes,
    Scaling scaling,
    double labelShift,
    double labelRange,
    Settings settings,
    Map<String, String> sources,
    Map<String, String> sourceChecksums,
    Map<String, String> coded,
    String origin,
    Map<String, String> sourceLabels,
    Map<String, String> checksums,
    Map<String, String> rowChecksums) {

  static List<String> words(String text) {
    return text.isBlank() ? List.of() : Arrays.asList(text.strip().split("[,\\s]+"));
  }

  /** How many rows there are, all files together. */
  public long rows() {
    return fileRows.stream().mapToLong(Long::longValue).sum();
  }

  /** How many rows a file has. */
  public long rows(String file) {
    return fileRows.get(files().indexOf(file));
  }

  /** Whether it can take part in a study at all. */
  public boolean suits(Study study) {
    boolean isRegression = task.isRegression();
    return switch (study) {
      case REGRESSION -> isRegression;
      case BATCH -> !isRegression && (!test.isEmpty() || testShare > 0);
      default -> !isRegression;
    };
  }

  /** All files, training first. */
  public List<String> files() {
    return Stream.concat(train.stream(), test.stream()).toList();
  }
}
