# The trend of a port as a data frame: mean wait of the window and the most congested day. Base R only.
base_url <- Sys.getenv("BASE_URL", "http://127.0.0.1:3000")
key <- Sys.getenv("PCD_API_KEY", "pcd_dev_demo000000000000000000000000000000")

address <- paste0(base_url, "/v1/ports/TWKHH/trend?window=30d&until=2025-10-04&format=csv")
trend <- read.csv(url(address, headers = c("X-API-Key" = key)), colClasses = c(date = "Date"))

if (nrow(trend) == 0) stop("TWKHH has no day with figures in these 30 days", call. = FALSE)
cat(nrow(trend), "days, mean wait", sprintf("%.1f", mean(trend$avg_wait_hours)), "h\n")
cat("most congested: ", format(trend$date[which.max(trend$congestion_score)]), "\n", sep = "")
