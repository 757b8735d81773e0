"""Where a reader's own edition prints something else than the rule that is played (docs/rulings.md, Q-175)."""

from __future__ import annotations

from collections.abc import Mapping

EDITIONS: Mapping[str, Mapping[str, str]] = {
    "R-BLD-05": {
        "pl": "W Twoim wydaniu stoi tu 180. Gramy z limitem 280 (Q-01).",
    },
    "R-HET-06": {
        "pl": "W Twoim wydaniu na liście rozkazów brakuje okopania się; jego opis dolicza 1 pkt ciepła (Q-04).",
    },
    "R-HET-10": {
        "pl": "Według Twojego wydania ciepło daje już samo zadanie uszkodzeń. Liczą się te, które przejdą przez "
        "pancerz (Q-177).",
        "de": "Deine Ausgabe spricht von erhaltenem Schaden. Es zählt, was nach der Panzerung zugefügt wird (Q-177).",
    },
    "R-TER-07": {
        "pl": "W Twoim wydaniu −1 stoi tylko w tabelach. Liczy się raz (Q-178).",
    },
    "R-TER-08": {
        "pl": "W Twoim wydaniu brakuje tego zdania (Q-178).",
    },
    "R-LOF-14": {
        "pl": "Według Twojego wydania teren trudny pomija się także wtedy, gdy oba końce leżą na wzniesieniu. "
        "Sezon może tak grać: to jedna z zasad domowych (Q-176).",
    },
    "R-TER-19": {
        "pl": "Według Twojego wydania wchodzi się tam tylko z sąsiedniego hexa stromego. Wystarczy wzniesiony (Q-46).",
    },
    "R-DFA-12": {
        "pl": "Twoje wydanie zabrania potem tylko ataku. Nie ma żadnego rozkazu w etapie walki (Q-180).",
    },
    "R-CHG-10": {
        "pl": "Twoje wydanie nie nazywa ich w tym miejscu uszkodzeniami od uderzenia, ale robi to jego "
        "słowniczek (Q-179).",
    },
    "R-TGT-07": {
        "pl": "Według Twojego wydania kolor może oznaczać dowolne wyposażenie. Oznacza jeden z czterech "
        "pancerzy (Q-181).",
        "de": "In deiner Ausgabe kann die Farbe jede Ausrüstung der Verteidigung meinen. Sie meint eine der "
        "vier Panzerungen (Q-181).",
    },
    "R-SEM-02": {
        "de": "Deine Ausgabe nennt keine Grenze. Die Tarnung wirkt nur gegen Fernkampf (Q-99).",
    },
    "R-SED-02": {
        "pl": "Według Twojego wydania teren trudny pomija każdy ostrzał. Pomijają go tylko ataki balistyczne (Q-104).",
        "de": "In deiner Ausgabe fehlt das Zeichen der Reichweite. Gemeint sind ballistische Angriffe (Q-104).",
    },
    "R-SEF-01": {
        "de": "In deiner Ausgabe wirkt das System schon, wenn die Einheit zum Ziel wird, und das Zeichen der "
        "Reichweite fehlt. Es wirkt nach einem ballistischen Treffer (Q-97).",
    },
    "R-HEF-08": {
        "pl": "W Twoim wydaniu brakuje połowy zdania o ponownym uruchomieniu. Udaje się przy 4–6 (Q-82).",
    },
    "R-HEF-10": {
        "pl": "W Twoim wydaniu stoi tu tekst innego efektu (Q-82).",
    },
}
"""Rule -> language -> the note for readers of its edition, in that language. English readers have the text itself."""
