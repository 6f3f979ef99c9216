"""The rule book of Texas 42 in plain Python: the reference for everything compiled.

The rules have letters and numbers, by which messages name them: RULES.md, which ``sim42 rules``
prints. A room for each part: `tiles` (T1 to T3), `trumps` and `suits` (R1 to R7), `rules`
(the options), `auction` (A1 to A5), `tricks` (R5 to R7), `score` (S1 to S3), `claims`, `state`,
where `Game` puts them together, `records` (hands as text), `show` and `dominoes` (hands as
pictures).
"""
