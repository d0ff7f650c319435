// RUN: opt-tool --split-input-file --verify-diagnostics %s

schedule.sequence {
  // expected-error @+1 {{unknown operation 'schedule.get_blok'; did you mean 'schedule.get_block'}}
  %C = schedule.get_blok "C"
}

// -----

schedule.sequence {
  // expected-error @+1 {{'schedule.get_block': expected an argument for 'name', but got none}}
  %C = schedule.get_block
}

// -----

schedule.sequence {
  // expected-error @+1 {{'schedule.get_block': expected a string for 'name', but got an integer}}
  %C = schedule.get_block 3
}

// -----

schedule.sequence {
  // expected-error @+1 {{get_block takes name, but got more arguments}}
  %C = schedule.get_block "C", "D"
}

// -----

schedule.sequence {
  %i = schedule.get_loop "i"
  // expected-error @+1 {{split takes loop, factors, factor, nparts, preserve_unit_iters, disable_predication, but got 'fctor'; did you mean 'factor' or 'factors'?}}
  %io, %ii = schedule.split %i fctor 3
}

// -----

schedule.sequence {
  // expected-error @+1 {{expected one argument for 'name', but got another}}
  %C = schedule.get_block "C" name "D"
}

// -----

schedule.sequence {
  %C = schedule.get_block "C"
  // expected-error @+1 {{'schedule.split': expected a loop for 'loop', but got a block}}
  %io, %ii = schedule.split %C factor 3
}

// -----

schedule.sequence {
  %C = schedule.get_block "C"
  // expected-error @+1 {{'schedule.fuse': expected a loop for 'loops', but got a block}}
  %f = schedule.fuse %C
}

// -----

schedule.sequence {
  // expected-error @+1 {{expected 1 names for what get_block returns, but got 2}}
  %C, %D = schedule.get_block "C"
}

// -----

schedule.sequence {
  // expected-error @+1 {{value %i is used but not defined}}
  schedule.parallel %i
}

// -----

// expected-error @+1 {{expected primitives in a sequence, but got 'schedule.sequence'}}
schedule.sequence {
  schedule.sequence {
  }
}

// -----

// expected-error @+1 {{'schedule.get_block' expects parent op 'schedule.sequence'}}
%C = schedule.get_block "C"

// -----

schedule.sequence {
  %i = schedule.get_loop "i"
  // expected-error @+1 {{expected a number}}
  %io, %ii = schedule.split %i factor -true
}

// -----

schedule.sequence {
  %i = schedule.get_loop "i"
  // expected-error @+1 {{expected an argument}}
  %io, %ii = schedule.split %i factors [2, ]
}

// -----

// The generic form may say what the custom one cannot.
schedule.sequence {
  // expected-error @+1 {{get_loops takes block, but got 'blok'; did you mean 'block'?}}
  "schedule.get_loops"() <{arguments = {blok = 1 : i64}}> : () -> ()
}

// -----

schedule.sequence {
  %C = schedule.get_block "C"
  // expected-error @+1 {{expected arguments that mention operands [0, 1] in order, but got [1]}}
  %i = "schedule.get_loops"(%C, %C) <{arguments = {block = #schedule.handle<1>}}> : (!schedule.block, !schedule.block) -> !schedule.loop
}

// -----

schedule.sequence {
  %C = schedule.get_block "C"
  // expected-error @+1 {{expected results !schedule.loop, but got !schedule.block}}
  %i = "schedule.get_loops"(%C) <{arguments = {block = #schedule.handle<0>}}> : (!schedule.block) -> !schedule.block
}

// -----

schedule.sequence {
  // expected-error @+1 {{expected a list for 'loops', but got 1 : i64}}
  %f = "schedule.fuse"() <{arguments = {loops = 1 : i64}}> : () -> !schedule.loop
}
