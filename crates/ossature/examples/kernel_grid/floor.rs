//! What the machine could do at best: the floor under each kernel.
#![allow(unsafe_code)]

use std::hint::black_box;
#[cfg(not(target_os = "linux"))]
use std::time::Instant;

use ossature::Dataset;
use ossature::counts::{Kernel, Simd};

use super::Question;

/// The size of the nearest cache, in bytes.
const L1: usize = 32 << 10;

/// What this machine does at best, measured.
pub(crate) struct Machine {
    /// Bytes read in a second, from the nearest and from the second cache.
    l1: f64,
    l2: f64,
    /// Seconds to AND, count and add up 512 bits, by [`Simd`].
    popcount: Vec<(String, f64)>,
    /// Seconds to increment one of many cells.
    increment: f64,
}

impl Machine {
    pub(crate) fn measure() -> Machine {
        let best = Simd::available().into_iter().next_back().expect("the portable one");
        let bandwidth = |bytes: usize| {
            let words = vec![1u64; bytes / 8];
            bytes as f64 / fastest(|| read(best, &words))
        };
        let popcount = |simd: Simd| {
            let (a, b) = (vec![!0u64; 1024], vec![1u64; 1024]);
            // With AVX-512 each of the 128 vectors of the one is met by two of the other.
            let counted = if simd == Simd::Avx512 { 256.0 } else { 128.0 };
            (format!("{simd:?}"), fastest(|| both(simd, &a, &b)) / counted)
        };
        // Too far apart for vectors, and each cell is met again long after its last increment is done.
        const STRIDE: usize = 17;
        let mut cells = vec![0u32; 256 * STRIDE];
        let increment = fastest(|| {
            black_box(&mut cells).iter_mut().step_by(STRIDE).for_each(|c| *c += 1);
            0
        }) / 256.0;
        let machine = Machine {
            l1: bandwidth(16 << 10),
            l2: bandwidth(256 << 10),
            popcount: Simd::available().into_iter().map(popcount).collect(),
            increment,
        };
        eprintln!(
            "L1 {:.0} GB/s, L2 {:.0} GB/s, AND + popcount of 512 bits {:?} ns, increment {:.3} ns",
            machine.l1 / 1e9,
            machine.l2 / 1e9,
            machine.popcount.iter().map(|(s, t)| format!("{s} {:.3}", t * 1e9)).collect::<Vec<_>>(),
            machine.increment * 1e9
        );
        machine
    }

    /// The least seconds a test could take by this kernel, and what bounds it. Bitmaps: each counted
    /// cell is n bits of AND and popcount, or the bitmaps read once. Codes: n increments, or the codes
    /// read once.
    pub(crate) fn floor(
        &self,
        kernel: Kernel,
        simd: &str,
        data: &Dataset,
        questions: &[Question],
    ) -> (f64, &'static str) {
        let mut total = [0.0; 2];
        let mut tests = 0.0;
        for q in questions {
            let levels = |v| data.cardinality(v) as f64;
            let strata = levels(q.t) * q.z.iter().map(|&v| levels(v)).product::<f64>();
            for &x in &q.xs {
                let n = data.rows() as f64;
                let counted = (strata - if q.z.is_empty() { 1.0 } else { 0.0 }) * (levels(x) - 1.0);
                let (bytes, work) = match kernel {
                    Kernel::Bits => {
                        let each = self.popcount.iter().find(|(s, _)| s == simd).map_or(0.0, |(_, t)| *t);
                        ((strata + levels(x) - 1.0) * n / 8.0, counted * n / 512.0 * each)
                    }
                    Kernel::Scatter => (3.0 * n, n * self.increment),
                    // The order of the rows, the entry of T and the code of X.
                    Kernel::Sparse => (9.0 * n, n * self.increment),
                };
                let bandwidth = if bytes <= L1 as f64 { self.l1 } else { self.l2 };
                total[0] += bytes / bandwidth;
                total[1] += work;
                tests += 1.0;
            }
        }
        let [bytes, work] = total.map(|t| t / tests);
        let name = if kernel == Kernel::Bits { "popcount" } else { "increment" };
        if work > bytes { (work, name) } else { (bytes, "bandwidth") }
    }
}

/// The seconds that this thread has run: what others take away from it does not count.
#[cfg(target_os = "linux")]
pub(crate) fn own_time() -> f64 {
    #[repr(C)]
    struct Timespec {
        seconds: std::ffi::c_long,
        nanoseconds: std::ffi::c_long,
    }
    unsafe extern "C" {
        fn clock_gettime(clock: std::ffi::c_int, time: *mut Timespec) -> std::ffi::c_int;
    }
    const THREAD_CPU_TIME: std::ffi::c_int = 3;
    let mut time = Timespec { seconds: 0, nanoseconds: 0 };
    // SAFETY: the system's own clock, which fills in one `timespec`.
    unsafe { clock_gettime(THREAD_CPU_TIME, &mut time) };
    time.seconds as f64 + 1e-9 * time.nanoseconds as f64
}

/// The seconds since the start.
#[cfg(not(target_os = "linux"))]
pub(crate) fn own_time() -> f64 {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}

/// The least seconds of many tries.
fn fastest(mut work: impl FnMut() -> u64) -> f64 {
    const TURNS: u32 = 100;
    let mut best = f64::INFINITY;
    for _ in 0..2000 {
        let start = own_time();
        for _ in 0..TURNS {
            black_box(work());
        }
        best = best.min((own_time() - start) / f64::from(TURNS));
    }
    best
}

/// Reads all words.
fn read(simd: Simd, words: &[u64]) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if simd == Simd::Avx512 {
        // SAFETY: `Simd::available` found it.
        return unsafe { avx512::read(words) };
    }
    let _ = simd;
    let mut sums = [0u64; 32];
    for chunk in black_box(words).as_chunks::<32>().0 {
        (0..32).for_each(|i| sums[i] ^= chunk[i]);
    }
    sums.iter().fold(0, |a, b| a ^ b)
}

/// Counts the bits that two sets share.
fn both(simd: Simd, a: &[u64], b: &[u64]) -> u64 {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2,popcnt")]
        fn avx2(a: &[u64], b: &[u64]) -> u64 {
            both_body(a, b)
        }
        match simd {
            // SAFETY: only what `Simd::available` found is asked for.
            Simd::Avx512 => return unsafe { avx512::both(a, b) },
            // SAFETY: as above.
            Simd::Avx2 => return unsafe { avx2(a, b) },
            Simd::Portable => {}
        }
    }
    let _ = simd;
    both_body(a, b)
}

#[inline(always)]
fn both_body(a: &[u64], b: &[u64]) -> u64 {
    let mut sums = [0u64; 16];
    for (a, b) in black_box(a).as_chunks::<16>().0.iter().zip(black_box(b).as_chunks::<16>().0) {
        (0..16).for_each(|i| sums[i] += u64::from((a[i] & b[i]).count_ones()));
    }
    sums.iter().sum()
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use std::arch::x86_64::{
        __m512i, _mm512_add_epi64, _mm512_and_si512, _mm512_loadu_si512, _mm512_popcnt_epi64,
        _mm512_reduce_add_epi64, _mm512_setzero_si512, _mm512_xor_si512,
    };
    use std::hint::black_box;

    /// Four vectors at a time, so that none waits for another.
    type Four = [[u64; 8]; 4];

    #[target_feature(enable = "avx512f")]
    fn load(words: &[u64; 8]) -> __m512i {
        // SAFETY: eight words are 64 bytes, and the load need not be aligned.
        unsafe { _mm512_loadu_si512(words.as_ptr().cast()) }
    }

    fn fours(words: &[u64]) -> &[Four] {
        words.as_chunks::<8>().0.as_chunks::<4>().0
    }

    #[target_feature(enable = "avx512f")]
    pub(super) fn read(words: &[u64]) -> u64 {
        let mut sums = [_mm512_setzero_si512(); 4];
        for four in fours(black_box(words)) {
            for i in 0..4 {
                sums[i] = _mm512_xor_si512(sums[i], load(&four[i]));
            }
        }
        sums.iter().map(|&s| _mm512_reduce_add_epi64(s) as u64).fold(0, u64::wrapping_add)
    }

    /// Four vectors of `a` with two of `b`: as few loads as in the kernel.
    #[target_feature(enable = "avx512f,avx512vpopcntdq")]
    pub(super) fn both(a: &[u64], b: &[u64]) -> u64 {
        let mut sums = [_mm512_setzero_si512(); 8];
        for (a, b) in fours(black_box(a)).iter().zip(fours(black_box(b))) {
            let pair = [load(&b[0]), load(&b[1])];
            for i in 0..4 {
                let a = load(&a[i]);
                for j in 0..2 {
                    let count = _mm512_popcnt_epi64(_mm512_and_si512(a, pair[j]));
                    sums[2 * i + j] = _mm512_add_epi64(sums[2 * i + j], count);
                }
            }
        }
        sums.iter().map(|&s| _mm512_reduce_add_epi64(s) as u64).fold(0, u64::wrapping_add)
    }
}
