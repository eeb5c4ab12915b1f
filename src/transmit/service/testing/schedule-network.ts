/** A network with every kind of frame. Its master is M; A and B are slaves. */
export const scheduleNetwork = `LIN_description_file;
LIN_protocol_version = "2.2";
LIN_language_version = "2.2";
LIN_speed = 19.2 kbps;
Nodes { Master: M, 5 ms, 0.1 ms; Slaves: A, B; }
Signals {
  Speed: 8, 1, M, A, B;
  Lamp: 2, 0, M, A;
  Heater: 8, 0, M, B;
  State: 8, 5, A, M;
  Door: 8, 6, A, M;
  Window: 8, 7, B, M;
}
Frames {
  Command: 1, M, 2 { Speed, 0; Lamp, 8; }
  Heating: 2, M, 2 { Heater, 0; Speed, 8; }
  Answer: 3, A, 2 { State, 0; }
  DoorA: 4, A, 2 { Door, 8; }
  DoorB: 5, B, 2 { Window, 8; }
}
Sporadic_frames { Now: Heating, Command; }
Event_triggered_frames { Doors: Resolve, 6, DoorA, DoorB; }
Node_attributes {
  A { LIN_protocol = "2.2"; configured_NAD = 0x21; initial_NAD = 1; product_id = 0x4A4F, 0x4841, 0;
      configurable_frames { Answer; DoorA; } }
  B { LIN_protocol = "2.2"; configured_NAD = 2; product_id = 1, 2; }
}
Schedule_tables {
  Normal { Command delay 10 ms; Answer delay 10 ms; }
  Sporadic { Now delay 10 ms; Command delay 10 ms; }
  Events { Doors delay 10 ms; Command delay 10 ms; }
  Resolve { DoorA delay 10 ms; DoorB delay 10 ms; }
  Diagnose { MasterReq delay 15 ms; SlaveResp delay 15 ms; }
  Configure { AssignNAD { A } delay 15 ms; SaveConfiguration { A } delay 15 ms; }
  Tight { Command delay 5 ms; Answer delay 5 ms; }
  Zero { Command delay 0 ms; }
  Empty { }
}
Signal_encoding_types { Lights { logical_value, 0, "Off"; logical_value, 1, "On"; } }
Signal_representation { Lights: Lamp; }
`;
