"""The alert feed through feedparser: address, key."""
import sys

import feedparser

address, key = sys.argv[1:]
feeds = [
    feedparser.parse(f"{address}/v1/alerts?{query}format=atom", request_headers={"X-API-Key": key})
    for query in ("since=2025-10-10&", "since=2025-10-10&severity=high&")
]
for feed in feeds:
    assert not feed.bozo and feed.version == "atom10", feed.get("bozo_exception")
    assert feed.feed.link == f"{address}/", feed.feed.link
    assert feed.entries, "no entries"
    for entry in feed.entries:
        assert entry.link.startswith(f"{address}/?port=") and entry.updated_parsed and entry.content[0].value, entry
    assert len({entry.id for entry in feed.entries}) == len(feed.entries)
every, high = feeds
assert every.feed.id != high.feed.id and every.feed.title != high.feed.title
assert all("high" in [tag.term for tag in entry.tags] for entry in high.entries)
print(f"feedparser: {len(every.entries)} entries, {len(high.entries)} of them high")
