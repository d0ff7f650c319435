"""Parts of TVM's topi beside the operators: schedules by target, helpers of schedules, references of its tests."""
