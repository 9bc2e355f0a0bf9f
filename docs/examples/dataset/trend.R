# The newest release in R, with the package arrow: days and mean wait of each port.
library(arrow)
data <- paste0(Sys.getenv("BASE_URL", "http://127.0.0.1:3000"), "/data/")
release <- gsub('.*"release":"([^"]+)".*', "\\1", readLines(paste0(data, "latest.json"))[1])
manifest <- readLines(paste0(data, "release=", release, "/manifest.json"))
paths <- gsub('.*"path": "([^"]+)".*', "\\1", grep('"path": ".*table=trend', manifest, value = TRUE))
trend <- do.call(rbind, lapply(paths, function(path) {
  file <- tempfile(fileext = ".parquet")
  download.file(paste0(data, path), file, mode = "wb", quiet = TRUE)
  as.data.frame(read_parquet(file))
}))
print(aggregate(avg_wait_hours ~ port, trend, function(hours) c(days = length(hours), mean = mean(hours))))
