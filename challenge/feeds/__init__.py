"""What leaves an event for other programs: tables for spreadsheets, the document of its webhook."""
