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
 * @param name its name in this project
 * @param paper its name in the paper's tables; empty if it is not there
 * @param title a short description
 * @param isComplete whether it is exactly the data of the paper; otherwise a subset or a substitute
 * @param note a remark for the report
 * @param studies the studies in which it takes part by default
 * @param task the task
 * @param train the training files, without extension
 * @param test the files of the test split, if there is one
 * @param testShare the fraction of rows that is held out for the batch study without a test split
 * @param fileRows the number of rows of each file, in the order of {@link #files}
 * @param features the number of features
 * @param classes the number of classes; 0 for regression
 * @param scaling the scaling of the features
 * @param labelShift the number that is subtracted from every label
 * @param labelRange the number by which shifted labels are divided
 * @param settings δ, size cap, budget and number of random features of the paper's tables
 * @param sources the URL of the public source of each file, if there is one
 * @param sourceChecksums the SHA-256 of sources for which it is published
 * @param coded the files whose source has texts, which are replaced by their alphabetical numbers;
 *     the value lists texts, as COLUMN:TEXT, that count although the file does not contain them
 * @param origin a description of the origin of a set without a public source
 * @param sourceLabels the column of the label, for sources with columns
 * @param checksums the SHA-256 of each file NAME.libsvm.gz
 * @param rowChecksums the SHA-256 of the uncompressed rows as they are written here, which does not
 *     depend on the compression and spacing of the source
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

  /** The number of rows of all files together. */
  public long rows() {
    return fileRows.stream().mapToLong(Long::longValue).sum();
  }

  /** The number of rows of a file. */
  public long rows(String file) {
    return fileRows.get(files().indexOf(file));
  }

  /** Whether it can take part in a study. */
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
