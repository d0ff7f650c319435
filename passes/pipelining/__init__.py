"""What `software-pipeline` and `double-buffer` decide: stages, versions of buffers, copies ahead."""
