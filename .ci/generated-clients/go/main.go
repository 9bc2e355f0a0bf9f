// Dates, numbers and an error through the clients of ogen and oapi-codegen. Arguments: base address, key.
package main

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"os"
	"time"

	"clients/oapi"
	"clients/ogen"
)

type secret string

func (s secret) ApiKey(context.Context, ogen.OperationName) (ogen.ApiKey, error) {
	return ogen.ApiKey{APIKey: string(s)}, nil
}

func must(ok bool, what any) {
	if !ok {
		panic(what)
	}
}

// A figure has at most three decimals; one that came through a 32-bit float has more.
func exact(value float64) bool {
	thousandths := value * 1000
	return math.Abs(thousandths-math.Round(thousandths)) < 1e-6
}

func main() {
	ctx, base, key := context.Background(), os.Args[1], os.Args[2]

	client, err := ogen.NewClient(base, secret(key))
	must(err == nil, err)
	response, err := client.Trend(ctx, ogen.TrendParams{UNLOCODE: "USLAX", Window: "7d"})
	must(err == nil, err)
	good, ok := response.(*ogen.TrendOKHeaders)
	must(ok && len(good.Response) == 7, response)
	var day time.Time = good.Response[0].Date
	must(day.Year() > 2000 && exact(good.Response[0].CongestionScore), good.Response[0])
	wrong, err := client.Snapshot(ctx, ogen.SnapshotParams{UNLOCODE: "uslax"})
	must(err != nil || wrong != nil, "ogen checks the pattern of the code itself")

	other, err := oapi.NewClientWithResponses(base, oapi.WithRequestEditorFn(
		func(_ context.Context, request *http.Request) error { request.Header.Set("X-API-Key", key); return nil }))
	must(err == nil, err)
	trend, err := other.TrendWithResponse(ctx, "USLAX", &oapi.TrendParams{Window: "7d"})
	must(err == nil && trend.JSON200 != nil && len(*trend.JSON200) == 7, trend)
	point := (*trend.JSON200)[0]
	must(point.Date.Year() > 2000 && exact(point.CongestionScore), point)
	refused, err := other.SnapshotWithResponse(ctx, "uslax", &oapi.SnapshotParams{})
	must(err == nil && refused.JSON422 != nil && *refused.JSON422.Hint == "Did you mean USLAX?", refused)
	fmt.Println("ogen and oapi-codegen: dates, numbers and an error")
}
