"""The framework of passes: definition, registration, execution, observation and validation of passes.

Read in this order:

- `base`: the levels of IR and the base class `Pass`.
- `table`, `registry`, `options`: the builtin passes, the passes that users register, and the parser of pipelines.
- `custom`, `rewriting`: passes made of functions and of patterns, and the driver that applies patterns.
- `context`, `config`, `tuning_records`: the choice of passes and their settings.
- `manager`: runs passes, verifies the module after each, and calls the instruments.
- `intrinsics`, `expression_rules`: lowering rules of targets, and expansion of functions that have a definition.
- `user_dialects`: dialects that users register.
- `instruments`, `tracing`, `validation`: printing, times, statistics, traces, and comparison of functions before and
  after each pass.
- `bisection`, `isolation`, `reducing`, `reproducer`: the search for a wrong pass or rewrite, and files that repeat it.
"""
