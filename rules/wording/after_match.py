"""The refusals of what comes after a match: its replay, playing on from it, and write-ups with their photos."""

from collections.abc import Mapping

from rules.core.messages import gettext_noop

REFUSALS: Mapping[str, str] = {
    "match_not_finished": gettext_noop("The match is still being played; this is shown when it is over."),
    "no_turning_points": gettext_noop("Turning points are for people who played the match themselves."),
    "no_such_moment": gettext_noop("The match has no such moment to play on from, or no such side."),
    "moment_of_other_rules": gettext_noop(
        "This match was played under other rules than those of today, so it cannot go on from here."
    ),
    "moment_too_late": gettext_noop(
        "This match went on from others already. Play on from an earlier moment, or from the match that it came from."
    ),
    "write_up_too_early": gettext_noop("A match is told of when it is over; this one has no result yet."),
    "write_up_taken_down": gettext_noop("Your write-up was taken down and stays so. The reason given is: “{reason}”."),
    "write_up_empty": gettext_noop("A write-up needs some text, also beside a photo."),
    "write_up_too_long": gettext_noop("A write-up has {longest} characters at most, and this one {length}."),
    "photo_untold": gettext_noop("Say in a few words what the photo shows, for those who cannot see it."),
    "photo_told_too_long": gettext_noop("What the photo shows is told in {longest} characters at most."),
    "photo_too_large": gettext_noop("The photo is larger than {megabytes} MB. Send a smaller copy of it."),
    "photo_not_an_image": gettext_noop("The photo cannot be read. JPEG, PNG and WebP pictures are taken."),
    "photo_too_many_pixels": gettext_noop(
        "The photo has more than {megapixels} million pixels. Send a smaller copy of it."
    ),
    "photo_too_many_scans": gettext_noop("The photo is drawn in more than {most} passes. Save it as a plain JPEG."),
    "take_down_reason_missing": gettext_noop("Say why you take the write-up down; its author reads it."),
    "take_down_reason_too_long": gettext_noop("The reason can have {longest} characters at most."),
}
