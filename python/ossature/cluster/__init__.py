"""Work on a cluster of `Dask <https://distributed.dask.org>`_.

Whatever has the keyword ``client`` takes a client of ``dask.distributed`` and does its work there: ``fit`` of learners
that go from variable to variable, :func:`ossature.neighbours`, :func:`ossature.bootstrap` and
:func:`ossature.cross_validate`. A study is run by :func:`study`. What is found is the same as on one machine, to the last
bit; `docs/CLUSTERS.md` says how to begin and what to choose.

The package ``distributed`` is needed, which ``pip install 'ossature[cluster]'`` brings; without it this module can be
imported all the same.
"""

from .studies import study

__all__ = ["study"]
