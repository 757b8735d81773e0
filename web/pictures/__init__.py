"""Pictures to share, 1200 by 630 pixels: `poster` says what is on one, `canvas` draws, `drawing` lays it out, and
`kept` keeps what was drawn by the hash of what it shows.

Nothing here knows a request, a database or a season. Equal posters give equal bytes.
"""
