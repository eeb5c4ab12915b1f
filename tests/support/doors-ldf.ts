/** A LIN network with two slaves. */
export const doorsLdf = `LIN_description_file;
LIN_protocol_version = "2.2";
LIN_language_version = "2.2";
LIN_speed = 19.2 kbps;
Nodes { Master: Body, 5 ms, 0.1 ms; Slaves: DoorLeft, DoorRight; }
Signals { Speed: 8, 0, Body, DoorLeft; Left: 8, 0, DoorLeft, Body; Right: 8, 0, DoorRight, Body; }
Frames {
  Command: 1, Body, 1 { Speed, 0; }
  LeftState: 2, DoorLeft, 1 { Left, 0; }
  RightState: 3, DoorRight, 1 { Right, 0; }
}
Node_attributes {
  DoorLeft { LIN_protocol = "2.2"; configured_NAD = 2; product_id = 1, 2; }
  DoorRight { LIN_protocol = "2.2"; configured_NAD = 3; product_id = 1, 3; }
}
Schedule_tables { Normal { Command delay 10 ms; LeftState delay 10 ms; RightState delay 10 ms; } }
`;
