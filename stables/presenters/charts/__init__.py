"""Pictures of a season: plain numbers in, shapes and the tables behind them out; templates/components draw the SVG.

`grids` and `calendars` turn rows into shapes (line charts are those of web.charts), `facts` reads the books,
`season` puts words and numbers together. `stables.views.charts` answers requests.
"""
