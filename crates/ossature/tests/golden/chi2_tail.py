#!/usr/bin/env python3
"""References for the upper tail of the chi-square distribution.

    python3 chi2_tail.py > chi2_tail.csv         the table the tests read
    python3 chi2_tail.py --expansion             the coefficients in src/ci/tail/uniform.rs

Needs mpmath. Every sum below has positive terms only and is carried at 70 digits, so the 17 digits
written are right; a part of the table is computed a second time by mpmath.gammainc. What the columns are: README-chi2.md.
"""

import random
import sys
from fractions import Fraction

from mpmath import mp, mpf

mp.dps = 70

DFS = (
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 18, 20, 25, 27, 30, 32, 33, 34, 36, 40, 50, 64, 81, 99]
    + [100, 127, 128, 129, 150, 199, 200, 201, 256, 300, 500, 999, 2000, 4096, 5000, 10000, 20000]
    + [0.001, 0.02, 0.1, 0.5, 0.9, 1.5, 2.5, 3.7, 10.3, 33.3, 250.75, 1234.5]
    + [1e5, 1e6]
)
MULTIPLES = [1e-300, 1e-100, 1e-30, 1e-12, 1e-7, 1e-4, 1e-3, 0.01, 0.05, 0.1, 0.2, 0.35, 0.5, 0.6, 0.7]
MULTIPLES += [0.8, 0.9, 0.97, 0.999, 1.001, 1.03, 1.1, 1.2, 1.3, 1.4, 1.6, 2, 3, 5, 12, 40, 200]
DEVIATIONS = [-30, -12, -6, -3, -2, -1, -0.3, 0, 0.3, 1, 1.5, 2, 3, 4, 6, 10, 18, 30]
STATISTICS = [1, 2, 3, 3.9, 6, 10, 25, 59, 61, 100, 500, 599, 601, 1300, 1400, 1500, 1e4, 1e6, 1e9, 1e12]


def ascending(a, x):
    """P(a, x), the lower tail, by its power series."""
    term = mp.exp(a * mp.log(x) - x - mp.loggamma(a + 1))
    total, k = term, a
    while term > total * mpf(10) ** -68:
        k += 1
        term *= x / k
        total += term
    return total


def descending(a, x):
    """ln Q(a, x), the upper tail, by recurrence in a down to (0, 1]."""
    scale = (a - 1) * mp.log(x) - x - mp.loggamma(a)
    term, total = mpf(1), mpf(0)
    while a > 1 and term > total * mpf(10) ** -68:
        total += term
        a -= 1
        term *= a / x
    if a <= 1:  # term * Q(a, x), with Q in units of its own density
        total += term * mp.gammainc(a, x) * mp.exp(x - (a - 1) * mp.log(x))
    return scale + mp.log(total)


def ln_p(statistic, df):
    a, x = mpf(df) / 2, mpf(statistic) / 2
    result = mp.log1p(-ascending(a, x)) if x <= a else descending(a, x)
    if df <= 130 and 1e-3 < statistic < 3000:
        other = mp.gammainc(a, x, regularized=True)
        assert abs(mp.exp(result) - other) < other * mpf(10) ** -30, (statistic, df, result, other)
    return result


def statistics(df):
    values = [m * df for m in MULTIPLES] + [df + z * (2 * df) ** 0.5 for z in DEVIATIONS] + STATISTICS
    dice = random.Random(df)  # all the bits of a statistic should matter
    values = [v * (1 + dice.uniform(-1e-3, 1e-3)) for v in values]
    return sorted(v for v in values if v > 0)


def table():
    print("df,statistic,ln_p,p")
    for df in DFS:
        for statistic in statistics(df):
            value = ln_p(statistic, df)
            tail = mp.exp(value) if value > -700 else mpf(0)
            print(f"{df!r},{statistic!r},{mp.nstr(value, 17)},{mp.nstr(tail, 17)}")


def expansion(terms=7, least_a=64, widest=0.34):
    """C_k(eta) of the uniform expansion as power series, from exact rationals, cut where nothing is lost.

    mu = lambda - 1 solves mu mu' = eta (1 + mu); f = eta / mu = sum f_n eta^n; C_0 = (f - 1) / eta and
    C_k = (C'_{k-1} + g_k f) / eta, where g_k (1/Gamma* = sum g_k a^-k) is what removes the pole.
    """
    mu = [Fraction(0), Fraction(1)]
    for n in range(2, 60):
        # mu mu' has (n + 1) / 2 * sum_i mu_i mu_{n+1-i} at eta^n
        inner = sum(mu[i] * mu[n + 1 - i] for i in range(2, n))
        mu.append((mu[n - 1] * 2 / (n + 1) - inner) / 2)
    f = [Fraction(1)]
    for n in range(1, len(mu) - 1):
        f.append(-sum(mu[i + 1] * f[n - i] for i in range(1, n + 1)))
    c = f[1:]
    for k in range(terms):
        kept = max(n for n, v in enumerate(c) if abs(v) * widest**n / least_a**k > 1e-18)
        literals = [f"{float(v)!r}," for v in c[: kept + 1]]
        rows = [" ".join(literals[i : i + 4]) for i in range(0, len(literals), 4)]
        print("    &[", *("        " + row for row in rows), "    ],", sep="\n")
        slope = [n * v for n, v in enumerate(c)][1:]
        g = -slope[0]
        c = [s + g * v for s, v in zip(slope, f)][1:]


if __name__ == "__main__":
    expansion() if "--expansion" in sys.argv else table()
