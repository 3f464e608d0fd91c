import Foundation
import ProcessTestSupport

/// A bus of a test's own, which takes the place of the system bus.
final class PrivateBus: Sendable {
  let directory: ScratchDirectory
  /// The value of `DBUS_SYSTEM_BUS_ADDRESS`.
  var address: String { "unix:path=\(socket)" }
  var socket: String { directory("bus/socket") }
  var environment: [String: String?] { ["DBUS_SYSTEM_BUS_ADDRESS": address] }

  init() throws {
    directory = try ScratchDirectory()
    try directory.write(
      "bus.conf",
      """
      <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
       "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
      <busconfig>
        <type>system</type>
        <listen>unix:path=\(socket)</listen>
        <policy context="default">
          <allow user="*"/><allow own="*"/><allow send_destination="*"/><allow receive_sender="*"/>
        </policy>
      </busconfig>
      """)
  }

  /// Starts the bus, and waits until it listens.
  func start() async throws -> RunningProgram {
    try FileManager.default.createDirectory(atPath: directory("bus"), withIntermediateDirectories: true)
    let program = try RunningProgram([
      "dbus-daemon", "--nofork", "--nosyslog", "--print-address", "--config-file", directory("bus.conf"),
    ])
    _ = try await program.output.wait(lines: 1)
    return program
  }

  /// Calls a method of the mock that ``networkManager()`` starts.
  func tell(_ method: String, _ arguments: String...) async throws {
    try await RunningProgram.succeed(
      [
        "dbus-send", "--bus=\(address)", "--print-reply", "--dest=org.freedesktop.NetworkManager", "/Control",
        "org.example.Control.\(method)",
      ] + arguments)
  }

  /// Starts a small stand-in for NetworkManager, and waits until it has its name on the bus. It has the parts of the
  /// interface that the daemon uses. Devices are given as `PATH:INTERFACE:IP-INTERFACE:METERED`.
  func networkManager(_ devices: [String]) async throws -> RunningProgram {
    // Debian's modules need Debian's Python.
    let program = try RunningProgram(["/usr/bin/python3", "-u", "-c", Self.mock, address] + devices)
    try await program.output.wait(lineWith: "ready")
    return program
  }

  private static let mock = """
    import sys, dbus, dbus.service, dbus.bus
    from dbus.mainloop.glib import DBusGMainLoop
    from gi.repository import GLib

    NM, ROOT = "org.freedesktop.NetworkManager", "/org/freedesktop/NetworkManager"
    DEVICE, PROPERTIES, CONTROL = NM + ".Device", "org.freedesktop.DBus.Properties", "org.example.Control"

    class Device(dbus.service.Object):
        def __init__(self, bus, number, interface, data, metered):
            self.path = f"{ROOT}/Devices/{number}"
            super().__init__(bus, self.path)
            # The real one has some thirty properties of many types.
            self.values = {
                "Udi": dbus.String("/sys/devices/virtual/net/x"), "Managed": dbus.Boolean(True),
                "Interface": dbus.String(interface), "StateReason": dbus.Struct((dbus.UInt32(100), dbus.UInt32(0))),
                "LldpNeighbors": dbus.Array([], signature="a{sv}"), "IpInterface": dbus.String(data),
                "Mtu": dbus.UInt32(1500), "Metered": dbus.UInt32(metered), "Real": dbus.Boolean(True),
                "Ip4Connectivity": dbus.UInt32(0), "Ip6Connectivity": dbus.UInt32(0),
            }

        @dbus.service.method(PROPERTIES, in_signature="s", out_signature="a{sv}")
        def GetAll(self, interface):
            print("asked", self.path, interface)
            return self.values if interface == DEVICE else {}

        @dbus.service.signal(PROPERTIES, signature="sa{sv}as")
        def PropertiesChanged(self, interface, changed, invalidated):
            pass

    class Manager(dbus.service.Object):
        def __init__(self, bus, devices):
            super().__init__(bus, ROOT)
            self.bus, self.devices, self.checks = bus, {}, True
            for device in devices:
                number, interface, data, metered = device.split(":")
                self.devices[number] = Device(bus, number, interface, data, int(metered))

        @dbus.service.method(PROPERTIES, in_signature="s", out_signature="a{sv}")
        def GetAll(self, interface):
            values = {"Version": dbus.String("1.42.4"), "ConnectivityCheckEnabled": dbus.Boolean(self.checks)}
            return values if interface == NM else {}

        @dbus.service.signal(PROPERTIES, signature="sa{sv}as")
        def PropertiesChanged(self, interface, changed, invalidated):
            pass

        @dbus.service.method(NM, out_signature="ao")
        def GetDevices(self):
            print("listed")
            return [device.path for device in self.devices.values()]

        @dbus.service.signal(NM, signature="o")
        def DeviceAdded(self, path):
            pass

        @dbus.service.signal(NM, signature="o")
        def DeviceRemoved(self, path):
            pass

    class Control(dbus.service.Object):
        @dbus.service.method(CONTROL, in_signature="su")
        def SetMetered(self, number, metered):
            device = manager.devices[number]
            device.values["Metered"] = dbus.UInt32(metered)
            device.PropertiesChanged(DEVICE, {"Metered": dbus.UInt32(metered), "State": dbus.UInt32(100)}, [])

        @dbus.service.method(CONTROL, in_signature="ssu")
        def SetConnectivity(self, number, family, state):
            device, name = manager.devices[number], f"Ip{family}Connectivity"
            device.values[name] = dbus.UInt32(state)
            device.PropertiesChanged(DEVICE, {name: dbus.UInt32(state)}, [])

        @dbus.service.method(CONTROL, in_signature="b")
        def SetChecks(self, checks):
            manager.checks = checks
            manager.PropertiesChanged(NM, {"ConnectivityCheckEnabled": dbus.Boolean(checks)}, [])

        @dbus.service.method(CONTROL, in_signature="sss")
        def Add(self, number, interface, metered):
            manager.devices[number] = Device(bus, number, interface, interface, int(metered))
            manager.DeviceAdded(manager.devices[number].path)

        @dbus.service.method(CONTROL, in_signature="s")
        def Remove(self, number):
            device = manager.devices.pop(number)
            device.remove_from_connection()
            manager.DeviceRemoved(device.path)

        @dbus.service.method(CONTROL, in_signature="s")
        def Nonsense(self, number):
            device = manager.devices[number]
            for changed in [
                {"Metered": dbus.String("yes")}, {"Metered": dbus.UInt64(1)}, {"Interface": dbus.UInt32(7)},
                {"Metered": dbus.Array([1, 2], signature="u")}, {"IpInterface": dbus.String("a/../b" * 100)},
                {"Metered": dbus.UInt32(4_000_000_000)}, {}, {"Ip4Connectivity": dbus.UInt32(77)},
                {"Ip4Connectivity": dbus.String("full")}, {"Ip6Connectivity": dbus.Array([4], signature="u")},
            ]:
                device.PropertiesChanged(DEVICE, dbus.Dictionary(changed, signature="sv"), [])
            device.PropertiesChanged("org.example.Other", {"Metered": dbus.UInt32(1)}, [])
            manager.DeviceAdded(dbus.ObjectPath("/nowhere/at/all"))
            manager.DeviceRemoved(dbus.ObjectPath("/nowhere/at/all"))

    DBusGMainLoop(set_as_default=True)
    bus = dbus.bus.BusConnection(sys.argv[1])
    manager = Manager(bus, sys.argv[2:])
    control = Control(bus, "/Control")
    name = dbus.service.BusName(NM, bus)
    print("ready")
    GLib.MainLoop().run()
    """
}
