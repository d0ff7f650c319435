"""What `fuse` does at each level: which operators, computes and loops become one."""
