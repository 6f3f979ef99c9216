"""Conditions: a small language that asks about the tiles of four seats.

``doubles(partner) >= 2 and trumps(left, fives) <= 1`` is read into a tree, the tree is checked, and
arrays of deals are put to it. Text goes through this grammar and nothing else::

    either     = both { "or" both }
    both       = negation { "and" negation }
    negation   = "not" negation | comparison
    comparison = sum { ("<" | "<=" | "=" | "==" | "!=" | ">=" | ">") sum }
    sum        = product { ("+" | "-") product }
    product    = factor { "*" factor }
    factor     = "-" factor | number | call | "(" either ")"
    call       = ("min" | "max") "(" either { "," either } ")"
               | FUNCTION "(" seat { "," argument } ")"

Comparisons chain, as in ``1 <= doubles(left) <= 3``. What is true counts as 1 in arithmetic and
what is false as 0; a number alone is not true or false.
"""
