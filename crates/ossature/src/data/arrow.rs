//! Tables from Parquet and Arrow IPC files.
