//! Temme's uniform asymptotic expansion, for many degrees of freedom and statistics near them, where the sums
//! of `gamma` would need about 8 √a terms.
//!
//! N. M. Temme, *The asymptotic expansion of the incomplete gamma functions*, SIAM J. Math. Anal. 10 (1979),
//! doi:10.1137/0510071. With λ = x/a and η²/2 = λ − 1 − ln λ, where η has the sign of λ − 1:
//!
//! ```text
//! Q(a, x) = erfc(η √(a/2)) / 2 + e^(−aη²/2) / √(2πa) · Σ_k C_k(η) / a^k
//! ```

use std::f64::consts::PI;

use super::Tail;
use super::gamma::{excess, scaled_erfc};

/// From this a on, seven terms are enough.
const LEAST_A: f64 = 64.0;
/// Up to this |λ − 1|, the power series below are long enough.
const WIDEST: f64 = 0.3;

pub(super) fn applies(a: f64, x: f64) -> bool {
    a >= LEAST_A && f64::abs(x - a) <= WIDEST * a
}

/// Both tails for a and x in the range of the expansion.
pub(super) fn tail(a: f64, x: f64) -> Tail {
    let t = (x - a) / a;
    let half_square = excess(t);
    let eta = f64::copysign(libm::sqrt(2.0 * half_square), t);
    let y = a * half_square;
    let correction = series(eta, 1.0 / a) / libm::sqrt(2.0 * PI * a);
    // The normal tail on the side of x. e^(−y) is factored out of both parts.
    let normal = 0.5 * scaled_erfc(y);
    if x <= a {
        Tail::Lower(libm::exp(-y) * (normal - correction))
    } else {
        Tail::Upper { ln_scale: -y, factor: normal + correction }
    }
}

/// `Σ_k C_k(η) / a^k`.
fn series(eta: f64, inverse_a: f64) -> f64 {
    C.iter().rev().fold(0.0, |sum, c| sum * inverse_a + polynomial(c, eta))
}

fn polynomial(coefficients: &[f64], eta: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, c| sum * eta + c)
}

/// The power series of `C_0` … `C_6` in η, cut off where the rest is negligible beside `C_0`. Made from exact
/// rationals by `tests/golden/chi2_tail.py --expansion`.
#[rustfmt::skip]
const C: [&[f64]; 7] = [
    &[
        -0.3333333333333333, 0.08333333333333333, -0.014814814814814815, 0.0011574074074074073,
        0.0003527336860670194, -0.0001787551440329218, 3.919263178522438e-05, -2.185448510679992e-06,
        -1.85406221071516e-06, 8.296711340953087e-07, -1.7665952736826078e-07, 6.707853543401498e-09,
        1.0261809784240309e-08, -4.382036018453353e-09, 9.14769958223679e-10, -2.5514193994946248e-11,
        -5.830772132550426e-11,
    ],
    &[
        -0.001851851851851852, -0.003472222222222222, 0.0026455026455026454, -0.0009902263374485596,
        0.00020576131687242798, -4.018775720164609e-07, -1.8098550334489977e-05, 7.64916091608111e-06,
        -1.6120900894563446e-06, 4.647127802807434e-09, 1.378633446915721e-07, -5.752545603517705e-08,
        1.1951628599778148e-08, -1.7543241719747647e-11, -1.0091543710600413e-09,
    ],
    &[
        0.004133597883597883, -0.0026813271604938273, 0.0007716049382716049, 2.0093878600823047e-06,
        -0.0001073665322636516, 5.2923448829120125e-05, -1.2760635188618728e-05, 3.423578734096138e-08,
        1.3721957309062934e-06, -6.298992138380055e-07, 1.4280614206064242e-07, -2.0477098421990866e-10,
        -1.409252991086752e-08, 6.228974084922022e-09,
    ],
    &[
        0.0006494341563786008, 0.00022947209362139917, -0.0004691894943952557, 0.00026772063206283885,
        -7.561801671883977e-05, -2.396505113867297e-07, 1.1082654115347302e-05, -5.6749528269915965e-06,
        1.4230900732435883e-06, -2.7861080291528143e-11, -1.6958404091930278e-07, 8.099464905388083e-08,
    ],
    &[
        -0.0008618882909167117, 0.0007840392217200666, -0.0002990724803031902, -1.4638452578843418e-06,
        6.641498215465122e-05, -3.968365047179435e-05, 1.1375726970678419e-05, 2.507497226237533e-10,
        -1.6954149536558305e-06, 8.907507532205309e-07,
    ],
    &[
        -0.00033679855336635813, -6.972813758365857e-05, 0.0002772753244959392, -0.00019932570516188847,
        6.797780477937208e-05, 1.419062920643967e-07, -1.3594048189768693e-05, 8.018470256334202e-06,
    ],
    &[
        0.0005313079364639922, -0.0005921664373536939, 0.0002708782096718045, 7.902353232660328e-07,
        -8.153969367561969e-05, 5.61168275310625e-05,
    ],
];
