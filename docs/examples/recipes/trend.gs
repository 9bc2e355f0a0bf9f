/**
 * Writes the trend of a port into the active sheet. The script properties BASE_URL and PCD_API_KEY hold address and key, so
 * that the key is not in a cell.
 */
function trend() {
  const { BASE_URL, PCD_API_KEY } = PropertiesService.getScriptProperties().getProperties();
  const response = UrlFetchApp.fetch(`${BASE_URL}/v1/ports/TWKHH/trend?window=30d&until=2025-10-04&format=csv`, {
    headers: { 'X-API-Key': PCD_API_KEY },
    muteHttpExceptions: true,
  });
  const text = response.getContentText();
  if (response.getResponseCode() !== 200) throw new Error(JSON.parse(text).message);
  const rows = Utilities.parseCsv(text);
  SpreadsheetApp.getActiveSheet().clearContents().getRange(1, 1, rows.length, rows[0].length).setValues(rows);
}
