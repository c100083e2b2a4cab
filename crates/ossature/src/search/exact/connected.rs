//! Strongly connected components of a relation, and short cycles in them.

/// The strongly connected components, each sorted. A component comes after all the components that it points
/// to (Tarjan 1972, doi:10.1137/0201010). `needs` has for each node the nodes that it points to.
pub(super) fn parts(needs: &[Vec<usize>]) -> Vec<Vec<usize>> {
    const UNSEEN: usize = usize::MAX;
    let n = needs.len();
    let (mut number, mut low, mut on_stack) = (vec![UNSEEN; n], vec![0; n], vec![false; n]);
    let (mut stack, mut parts, mut next) = (Vec::new(), Vec::new(), 0);
    for root in 0..n {
        if number[root] != UNSEEN {
            continue;
        }
        // A node, and the index of its next arc.
        let mut path = vec![(root, 0)];
        while let Some((v, arc)) = path.last_mut() {
            let v = *v;
            if *arc == 0 {
                (number[v], low[v], on_stack[v]) = (next, next, true);
                next += 1;
                stack.push(v);
            }
            if let Some(&w) = needs[v].get(*arc) {
                *arc += 1;
                if number[w] == UNSEEN {
                    path.push((w, 0));
                } else if on_stack[w] {
                    low[v] = low[v].min(number[w]);
                }
                continue;
            }
            path.pop();
            if let Some((above, _)) = path.last() {
                low[*above] = low[*above].min(low[v]);
            }
            if low[v] == number[v] {
                let from = stack.iter().rposition(|&w| w == v).expect("it is on the stack");
                let mut part = stack.split_off(from);
                part.iter().for_each(|&w| on_stack[w] = false);
                part.sort_unstable();
                parts.push(part);
            }
        }
    }
    parts
}

/// A shortest cycle through a node of a strongly connected component with more than one node.
pub(super) fn cycle(from: usize, part: &[usize], needs: &[Vec<usize>]) -> Vec<usize> {
    let mut came: Vec<Option<usize>> = vec![None; needs.len()];
    let mut open = std::collections::VecDeque::from([from]);
    while let Some(v) = open.pop_front() {
        for &w in needs[v].iter().filter(|w| part.binary_search(w).is_ok()) {
            if w == from {
                let mut cycle = vec![v];
                while let Some(before) = came[cycle[cycle.len() - 1]] {
                    cycle.push(before);
                }
                return cycle;
            }
            if came[w].is_none() {
                came[w] = Some(v);
                open.push_back(w);
            }
        }
    }
    unreachable!("a node of a strongly connected part is on a cycle")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::tests::stream;

    #[test]
    fn parts_are_those_that_reach_each_other_and_cycles_are_cycles() {
        let mut next = stream(3);
        for _ in 0..300 {
            let n = 1 + next(9) as usize;
            let needs: Vec<Vec<usize>> =
                (0..n).map(|v| (0..n).filter(|&w| w != v && next(4) == 0).collect()).collect();
            let reached = |v: usize| {
                let (mut seen, mut open) = (vec![false; n], vec![v]);
                while let Some(w) = open.pop() {
                    if !std::mem::replace(&mut seen[w], true) {
                        open.extend(&needs[w]);
                    }
                }
                seen
            };
            let reach: Vec<Vec<bool>> = (0..n).map(reached).collect();
            let found = parts(&needs);
            assert_eq!(found.iter().map(Vec::len).sum::<usize>(), n);
            for (k, part) in found.iter().enumerate() {
                for &v in part {
                    let together: Vec<usize> = (0..n).filter(|&w| reach[v][w] && reach[w][v]).collect();
                    assert_eq!(*part, together);
                    // It needs only nodes of the same part or an earlier one.
                    assert!(needs[v].iter().all(|w| found[..=k].iter().any(|p| p.contains(w))));
                    if part.len() > 1 {
                        let cycle = cycle(v, part, &needs);
                        assert!(cycle.contains(&v));
                        for (i, &w) in cycle.iter().enumerate() {
                            // The cycle is listed backwards.
                            let to = if i == 0 { cycle[cycle.len() - 1] } else { cycle[i - 1] };
                            assert!(needs[w].contains(&to) || cycle.len() == 1);
                        }
                    }
                }
            }
        }
    }
}
