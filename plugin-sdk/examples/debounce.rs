//! Transformation in Rust: a bool that follows its input after three equal values in a row.
//!
//!     rustc --edition=2021 -O --crate-type=cdylib -C panic=abort -o plugins/debounce.so debounce.rs
//!
//! SPDX-License-Identifier: Apache-2.0
#[path = "../busbar_plugin.rs"]
mod busbar_plugin;

use busbar_plugin::{Plugin, Setup, Value, ABI, BOOL, OK, TRANSFORMATION};
use std::ffi::c_void;

const NEEDED: u32 = 3;

#[derive(Default)]
struct Debounce {
    /// Current output, after the first input.
    held: Option<u64>,
    last: u64,
    same: u32,
}

impl Debounce {
    fn follow(&mut self, input: u64) -> u64 {
        self.same = if input == self.last { self.same.saturating_add(1) } else { 1 };
        self.last = input;
        match self.held {
            Some(held) if self.same < NEEDED => held,
            _ => *self.held.insert(input),
        }
    }
}

unsafe extern "C" fn create(_setup: *const Setup, instance: *mut *mut c_void) -> i32 {
    *instance = Box::into_raw(Box::<Debounce>::default()).cast();
    OK
}

unsafe extern "C" fn destroy(instance: *mut c_void) {
    drop(Box::from_raw(instance.cast::<Debounce>()));
}

unsafe extern "C" fn reset(instance: *mut c_void) {
    *instance.cast::<Debounce>() = Debounce::default();
}

unsafe extern "C" fn run(instance: *mut c_void, inputs: *const Value, outputs: *mut Value) -> i32 {
    let state = &mut *instance.cast::<Debounce>();
    (*outputs).number.u = state.follow((*inputs).number.u);
    OK
}

static TYPES: [u8; 1] = [BOOL];

static PLUGIN: Plugin = Plugin {
    inputs: 1,
    outputs: 1,
    input_types: TYPES.as_ptr(),
    output_types: TYPES.as_ptr(),
    create: Some(create),
    destroy: Some(destroy),
    reset: Some(reset),
    run: Some(run),
    ..Plugin::of(TRANSFORMATION)
};

#[no_mangle]
pub extern "C" fn busbar_plugin_abi() -> u32 {
    ABI
}

#[no_mangle]
pub extern "C" fn debounce() -> *const Plugin {
    &PLUGIN
}
