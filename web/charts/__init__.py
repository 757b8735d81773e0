"""Charts of any numbers: `scales` measures, `signs` tells lines apart, `lines` lays out a line chart and its table.

Nothing here knows a request, a database or a season. templates/components/chart_line.svg.html draws the result.
"""
