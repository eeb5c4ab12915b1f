//! Busbar plugins, ABI 1, for Rust: the types of `busbar_plugin.h`, which documents them.
//!
//! Include this file next to your plugin, `#[path = "busbar_plugin.rs"] mod busbar_plugin;`, and build a C library:
//!
//!     rustc --edition=2021 -O --crate-type=cdylib -C panic=abort -o plugins/my.so my.rs
//!
//! A panic must not unwind into C, hence `panic=abort`.
//!
//! SPDX-License-Identifier: Apache-2.0
#![allow(dead_code)]

use std::ffi::c_void;
use std::mem::size_of;
use std::os::raw::c_char;

pub const ABI: u32 = 1;

pub const TRANSFORMATION: u32 = 1;
pub const CODEC: u32 = 2;
pub const E2E: u32 = 3;
pub const PROCESSOR: u32 = 4;

pub const ANY_TYPE: u8 = 0;
pub const BOOL: u8 = 1;
pub const INT64: u8 = 2;
pub const UINT64: u8 = 3;
pub const FLOAT64: u8 = 4;
pub const ENUM: u8 = 5;

pub const ANY: u32 = 0xFFFF_FFFF;

pub const OK: i32 = 0;
pub const FAILED: i32 = 1;
pub const INVALID: i32 = 2;
pub const NOT_AVAILABLE: i32 = 3;
pub const SOME_LOST: i32 = 4;
pub const REPEATED: i32 = 5;
pub const WRONG_SEQUENCE: i32 = 6;

pub const MAX_FRAME: usize = 64;
pub const MAX_ITEMS: usize = 16;
pub const MAX_STATE: usize = 256;

pub const CHANGED: u8 = 1;
pub const OBSERVED: u8 = 2;

#[repr(C)]
#[derive(Clone, Copy)]
pub union Number {
    pub i: i64,
    pub u: u64,
    pub f: f64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Value {
    pub kind: u8,
    pub valid: u8,
    pub flags: u8,
    pub reserved: [u8; 5],
    pub number: Number,
}

#[repr(C)]
pub struct Setup {
    pub size: u32,
    pub context_length: u32,
    pub context: *const c_char,
    pub inputs: u32,
    pub outputs: u32,
    pub input_types: *const u8,
    pub output_types: *const u8,
    pub task_lengths: *const u32,
    pub tasks: u32,
    pub bit_length: u32,
    pub frame_length: u32,
    pub message_size: u32,
    pub message: *mut c_char,
}

#[repr(C)]
pub struct Item {
    pub task: u32,
    pub length: u32,
    pub data: [u8; MAX_FRAME],
}

#[repr(C)]
pub struct Round {
    pub now_us: u64,
    pub item_room: u32,
    pub item_count: u32,
    pub items: [Item; MAX_ITEMS],
}

/// Plugin returned by an entry. Functions that its kind does not need are `None`.
#[repr(C)]
pub struct Plugin {
    pub abi: u32,
    pub size: u32,
    pub kind: u32,
    pub inputs: u32,
    pub outputs: u32,
    pub bit_length: u32,
    pub state_size: u32,
    pub reserved: u32,
    pub input_types: *const u8,
    pub output_types: *const u8,
    pub create: Option<unsafe extern "C" fn(*const Setup, *mut *mut c_void) -> i32>,
    pub destroy: Option<unsafe extern "C" fn(*mut c_void)>,
    pub reset: Option<unsafe extern "C" fn(*mut c_void)>,
    pub run: Option<unsafe extern "C" fn(*mut c_void, *const Value, *mut Value) -> i32>,
    pub decode: Option<unsafe extern "C" fn(*mut c_void, *const u8, *mut Value) -> i32>,
    pub encode: Option<unsafe extern "C" fn(*mut c_void, *const Value, *mut u8) -> i32>,
    pub protect: Option<unsafe extern "C" fn(*mut c_void, *mut u8, *mut u8, u32) -> i32>,
    pub check: Option<unsafe extern "C" fn(*mut c_void, *mut u8, *const u8, u32) -> i32>,
    pub process: Option<unsafe extern "C" fn(*mut c_void, *mut Round, *const Value, *mut Value) -> i32>,
}

// All pointers of a plugin point to constants.
unsafe impl Sync for Plugin {}

impl Plugin {
    /// A plugin of this kind, without functions.
    pub const fn of(kind: u32) -> Plugin {
        Plugin {
            abi: ABI,
            size: size_of::<Plugin>() as u32,
            kind,
            inputs: ANY,
            outputs: ANY,
            bit_length: ANY,
            state_size: 0,
            reserved: 0,
            input_types: std::ptr::null(),
            output_types: std::ptr::null(),
            create: None,
            destroy: None,
            reset: None,
            run: None,
            decode: None,
            encode: None,
            protect: None,
            check: None,
            process: None,
        }
    }
}

// The layout is part of the ABI.
const _: () = assert!(size_of::<Value>() == 16);
const _: () = assert!(size_of::<Item>() == 72);
const _: () = assert!(size_of::<Round>() == 1168);
const _: () = assert!(size_of::<Plugin>() == 120);
