"""Work on a `Dask <https://distributed.dask.org>`_ cluster.

Functions with the keyword ``client`` take a client of ``dask.distributed`` and run on its cluster: ``fit`` of learners
that work variable by variable, :func:`ossature.neighbours`, :func:`ossature.bootstrap` and
:func:`ossature.cross_validate`. :func:`study` runs a study. Results are the same as on one machine, to the last bit;
`docs/CLUSTERS.md` says how to start and what to choose.

This needs the package ``distributed``, which ``pip install 'ossature[cluster]'`` installs; the module can be imported
without it.
"""

from .studies import study

__all__ = ["study"]
