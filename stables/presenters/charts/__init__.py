"""Pictures of a season. They turn plain numbers into shapes and tables; templates/components draw the SVG.

`grids` and `calendars` turn rows into shapes (line charts are those of web.charts), `facts` reads the books,
`season` puts words and numbers together. `stables.views.reading.charts` answers requests.
"""
