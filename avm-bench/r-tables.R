# Writes tables of R packages as LIBSVM files for the arena: data on which nothing of ours was tuned.
#   Rscript avm-bench/r-tables.R FOLDER
#   ./avm-bench/run arena --data FOLDER --rows 20000 --orders file,split-1
# Packages that are not installed are left out, with a word. On Debian: r-cran-mlbench r-cran-kernlab r-cran-ggplot2 r-cran-modeldata r-cran-aer
folder <- commandArgs(trailingOnly = TRUE)[1]
if (is.na(folder)) stop("the folder to write to is missing: Rscript r-tables.R FOLDER")
dir.create(folder, showWarnings = FALSE, recursive = TRUE)

# Names of package, table and label; "random" tables are sorted by their label, so their rows are shuffled.
tables <- read.table(text = "
ggplot2   diamonds             price                 file
ggplot2   txhousing            median                file
kernlab   spam                 type                  random
kernlab   income               INCOME                file
kernlab   ticdata              CARAVAN               file
kernlab   musk                 Class                 file
mlbench   Satellite            classes               file
mlbench   DNA                  Class                 file
mlbench   Vowel                Class                 file
mlbench   Vehicle              Class                 file
mlbench   BostonHousing        medv                  file
mlbench   PimaIndiansDiabetes  diabetes              file
mlbench   Ozone                V4                    file
modeldata ames                 Sale_Price            file
modeldata attrition            Attrition             file
modeldata cells                class                 file
modeldata credit_data          Status                file
modeldata hpc_data             class                 file
modeldata lending_club         Class                 file
modeldata mlc_churn            churn                 file
modeldata Sacramento           price                 file
modeldata stackoverflow        Salary                file
modeldata wa_churn             churn                 file
modeldata concrete             compressive_strength  file
modeldata Chicago              ridership             file
modeldata car_prices           Price                 file
AER       CPS1988              wage                  file
AER       NMES1988             visits                file
AER       HousePrices          price                 file
", col.names = c("package", "table", "label", "order"))

# The columns of a feature: numbers with the median for missing ones, one column for each level of a factor.
columns <- function(values) {
  if (is.character(values)) values <- factor(values)
  if (!is.factor(values) || is.ordered(values)) {
    values <- as.numeric(values)
    values[is.na(values)] <- median(values, na.rm = TRUE)
    return(matrix(values, ncol = 1))
  }
  values <- addNA(values, ifany = TRUE)
  codes <- as.integer(values)
  one <- outer(codes, seq_len(nlevels(values)), "==") + 0
  if (nlevels(values) == 2) one[, 2, drop = FALSE] else one
}

write_table <- function(package, table, label, order) {
  data <- as.data.frame(get(data(list = table, package = package)[1], envir = environment()))
  data <- data[!is.na(data[[label]]), ]
  if (order == "random") { set.seed(1); data <- data[sample(nrow(data)), ] }
  truth <- data[[label]]
  if (!is.numeric(truth)) truth <- as.integer(factor(truth))
  features <- do.call(cbind, lapply(data[names(data) != label], columns))
  lines <- vapply(seq_len(nrow(features)), function(i) {
    filled <- which(features[i, ] != 0)
    entries <- if (length(filled)) paste0(filled, ":", format(features[i, filled], digits = 9, trim = TRUE))
    paste(c(format(truth[i], digits = 10, trim = TRUE), entries), collapse = " ")
  }, "")
  writeLines(lines, file.path(folder, paste0(tolower(table), ".libsvm")))
  message(table, ": ", nrow(features), " rows, ", ncol(features), " columns")
}

for (i in seq_len(nrow(tables))) {
  if (nzchar(system.file(package = tables$package[i]))) {
    do.call(write_table, as.list(tables[i, ]))
  } else {
    message(tables$table[i], ": left out, for the package ", tables$package[i], " is not installed")
  }
}
