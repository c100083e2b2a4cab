//! Things that many threads refer to, each in its place until all are dropped.
//!
//! Nobody counts who refers to them, so threads that look at the same thing do not disturb each other; and what was kept
//! one after another is in memory one after another.

use std::sync::{Mutex, OnceLock, PoisonError};

use crate::parallel;

/// The number of things in the first part; each part has an eighth more than the one before, so that little is empty.
const FIRST: usize = 64;
const PARTS: usize = 100;

/// Where a thing is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Spot {
    part: u8,
    offset: u32,
}

impl Spot {
    /// The number of bits of an offset.
    const BITS: u32 = 24;

    /// A number that is not zero.
    pub(super) fn number(self) -> u32 {
        (u32::from(self.part) + 1) << Spot::BITS | self.offset
    }

    /// The place of a number; `None` of zero.
    pub(super) fn of(number: u32) -> Option<Spot> {
        let part = (number >> Spot::BITS).checked_sub(1)? as u8;
        Some(Spot { part, offset: number & ((1 << Spot::BITS) - 1) })
    }
}

/// Things that are kept until the end.
pub(super) struct InPlace<T> {
    parts: Box<[OnceLock<SlotsPart<T>>]>,
    next: Mutex<Next>,
}

type SlotsPart<T> = Box<[LineSlot<T>]>;

/// Begins where a line of the cache does.
#[repr(align(64))]
struct LineSlot<T>(OnceLock<T>);

/// The place of the next thing, and the number of things of its part.
struct Next {
    place: Spot,
    size: usize,
}

impl<T> InPlace<T> {
    /// The memory that each takes.
    pub(super) const OF_EACH: usize = size_of::<LineSlot<T>>();

    /// Nothing yet.
    pub(super) fn new() -> InPlace<T> {
        let parts = (0..PARTS).map(|_| OnceLock::new()).collect();
        InPlace { parts, next: Mutex::new(Next { place: Spot { part: 0, offset: 0 }, size: FIRST }) }
    }

    /// Keeps a thing, or gives it back if there are very many.
    pub(super) fn keep(&self, thing: T) -> Result<Spot, T> {
        let Some((place, size)) = self.take_place() else { return Err(thing) };
        let part = self.parts[usize::from(place.part)]
            .get_or_init(|| (0..size).map(|_| LineSlot(OnceLock::new())).collect());
        part[place.offset as usize].0.set(thing).map(|()| place)
    }

    /// A place that nobody else has, and the number of things of its part.
    fn take_place(&self) -> Option<(Spot, usize)> {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let Next { place, size } = &mut *next;
        if place.offset as usize == *size {
            *place = Spot { part: place.part + 1, offset: 0 };
            *size += size.div_ceil(8);
        }
        if usize::from(place.part) == PARTS {
            return None;
        }
        let taken = (*place, *size);
        place.offset += 1;
        Some(taken)
    }

    /// Drops everything, on all threads.
    pub(super) fn forget(&mut self)
    where
        T: Send,
    {
        parallel::for_each_mut(&mut self.parts, |_, part| drop(part.take()));
    }

    /// The thing at a place; `None` if it was not put there yet.
    #[inline]
    pub(super) fn at(&self, place: Spot) -> Option<&T> {
        self.parts[usize::from(place.part)].get()?[place.offset as usize].0.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_its_number() {
        for place in [Spot { part: 0, offset: 0 }, Spot { part: 99, offset: 12_345_678 }] {
            assert_eq!(Spot::of(place.number()), Some(place));
        }
        assert_eq!(Spot::of(0), None);
    }

    #[test]
    fn a_place_has_enough_bits() {
        const { assert!(PARTS < 255) };
        let largest = (1..PARTS).fold(FIRST, |size, _| size + usize::div_ceil(size, 8));
        assert!(largest < 1 << Spot::BITS, "{largest}");
    }

    #[test]
    fn what_threads_keep_stays_where_it_is() {
        let kept = InPlace::new();
        std::thread::scope(|threads| {
            for thread in 0..4 {
                let kept = &kept;
                threads.spawn(move || {
                    let places: Vec<Spot> =
                        (0..500).map(|i| kept.keep((thread, i)).expect("there is room")).collect();
                    assert!(places.iter().zip(0..).all(|(&place, i)| kept.at(place) == Some(&(thread, i))));
                });
            }
        });
        assert_eq!(kept.at(Spot { part: 50, offset: 0 }), None);
    }
}
