"""'Mechs from files that a GM brings: .mtf, a zip of them, MegaMek's CSV export, .mul.

    found = read_files([("Locust LCT-1V.mtf", data)])
    found.change(event.models)

Prose in the files is passed over unread. What no table knows is named, and makes the cost unknown.
"""
