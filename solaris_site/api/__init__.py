"""The programming interface: one more edge of the house, where every room may be seen.

`endpoint` is what every address of it stands on; who may ask is in `tokens` and `access`, what comes back in
`problems`, what happens once in `once`. Each other module holds the addresses of one topic, and its `..._urls` below
`urls` lists them. The rules and the season's services do the work; nothing is decided here.
"""
