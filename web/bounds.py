"""One file of bounds: what people may bring and run on this site, so that no account takes it from all others.

No honest use reaches them. The rules have bounds of their own, which hold without a site too:
`rules.catalogue.bounds`, `rules.campaign.market.prices` and `rules.campaign.market.baskets`. docs/operations.md has all
of them in one table. Lengths of names and texts stand beside what they bound.
"""

from __future__ import annotations

# Seasons and matches -------------------------------------------------------------------------------------------------

MOST_RECRUITING = 10
"""Recruiting seasons and drafts of one organiser: enough for any club, and no flood."""

MOST_RUNNING = 12
"""Running seasons of one organiser, with those of the AI alone. Each asks for jobs that all others wait for."""

MOST_EVENINGS = 20
"""Solo seasons that one account may open within an hour. They run at once, so MOST_RUNNING bounds them too."""

MOST_FRIENDLY_MATCHES = 30
"""Friendly matches that one account may begin within an hour."""

MOST_INVITATIONS = 50
"""Invitations of a season that are not revoked."""

MOST_GUESTS = 30
"""Guests of a season, and open links for guests: each is an account that nobody signed up for."""

MOST_USES = 100
"""Uses of one invitation."""

MOST_MESSAGES = 6
"""Messages to all that the organisers of a season may write within an hour, each a notice to every owner. As many
reminders, and as many questions who comes."""

MOST_WEBHOOKS = 5
"""Webhooks of a season: each line of its log costs work for each of them."""

MOST_TOKENS = 20
"""Valid tokens for programs of one account."""

MOST_BROWSERS = 10
"""Browsers of one account that get messages: the oldest goes when another one comes."""

# Catalogues ----------------------------------------------------------------------------------------------------------

LARGEST_FILE = 20_000_000
"""Bytes of a catalogue file; two thousand units as JSON are about six million."""

LARGEST_MAPPING = 200_000
"""Bytes of a mapping; those that come with the game have four thousand."""

MOST_IMPORTS = 60
"""Catalogue files that one account may send within an hour, checked ones and refused ones too."""

MOST_EDITS = 120
"""Definitions that one account may save in the unit editor within an hour: each makes a version."""

MOST_COLLECTIONS = 50
"""Collections that one person may keep."""

MOST_VERSIONS = 20
"""Versions that are kept of a collection: an older one goes when a new one comes."""

MOST_BYTES_KEPT = 50_000_000
"""Bytes of all versions of one person's collections: three thousand units take nine million."""

MOST_BYTES_PLAYED = 200_000_000
"""Bytes of the catalogues with collections that one organiser's seasons play with, finished seasons too."""

MOST_DRAFTS = 10
"""Open imports of one person: the oldest goes when another one comes."""

LARGEST_SHELF = 3000
"""Units on one shelf; the whole game has fewer."""

# Files of seasons ----------------------------------------------------------------------------------------------------

MOST_FILES = 60
"""Documents and archives of replays of seasons that are made within an hour for one place without an account."""

MOST_PICTURES = 200
"""Pictures to share that are kept; each has some 50,000 bytes."""

MOST_DRAWN = 240
"""Pictures to share that are drawn within an hour for one place or account; those that are kept do not count."""

# Accounts ------------------------------------------------------------------------------------------------------------

MOST_COPIES = 6
"""Files of all their data that one person may fetch within an hour."""

MOST_ROWS_OF_A_COPY = 10_000
"""Rows of one kind in such a file; the file says which kinds have more."""

MOST_BYTES_OF_A_COPY = 30_000_000
"""Bytes of photos in such a file; the newest come first."""

MOST_WORDINGS = 2000
"""Proposals of better wording that are kept: a done one goes when another one comes, else the oldest."""

LARGEST_OPERATOR_PAGE = 200_000
"""Bytes of a file of the operator's imprint, privacy or contact page; a long privacy page has forty thousand."""

# Photos and texts ----------------------------------------------------------------------------------------------------

MOST_WRITE_UPS = 20
"""Write-ups that one account may write or change within an hour."""

MOST_MINIATURE_PHOTOS = 60
"""Photos of miniatures that one account may send within an hour."""

LARGEST_PHOTO = 20 * 1024 * 1024
"""Bytes of a photo that a person sends: one of fifty megapixels may take fifteen million."""

MOST_PHOTO_PIXELS = 30_000_000
"""Pixels of a picture that is decoded whole: a small file can hold a picture that fills the memory."""

MOST_PHOTO_PIXELS_AT_A_FRACTION = 80_000_000
"""Pixels of a JPEG that is decoded at a fraction of its size, ten million pixels at most."""

MOST_PHOTO_PIXELS_IN_SCANS = 25_000_000
"""Pixels of a JPEG of several scans: its decoder takes six bytes for each."""

MOST_PHOTO_SCANS = 100
"""Scans of a JPEG; cameras write ten or so, and each walks the whole picture."""
