import PathModel
import Testing

@testable import PathDecisions

@Suite("The devices of NetworkManager")
struct NetworkManagerDevicesTests {
  private typealias Event = NetworkManagerDevices.Event

  private static func metered(_ device: String, _ interface: String?, _ metered: UInt32?) -> Event {
    .properties(device: device, .init(interface: interface, metered: metered))
  }

  /// The devices after the events, and the questions that each event caused.
  private static func after(_ events: Event...) -> (NetworkManagerDevices, [[NetworkManagerDevices.Question]]) {
    var devices = NetworkManagerDevices()
    let questions = events.map { devices.apply($0) }
    return (devices, questions)
  }

  @Test func `there is no value until the devices and their properties have arrived`() {
    var (devices, questions) = Self.after(.devices(["/2", "/1"]))
    #expect(questions == [[.properties(device: "/1"), .properties(device: "/2")]])
    #expect(!devices.isAnswered)
    #expect(devices.apply(Self.metered("/1", "eth0", 1)).isEmpty)
    #expect(!devices.isAnswered)
    #expect(devices.apply(.unanswered(device: "/2")).isEmpty)
    #expect(devices.isAnswered)
    #expect(devices.states == ["eth0": .yes])
  }

  @Test func `a change of a known device applies at once, an unknown one is asked`() {
    var (devices, _) = Self.after(.devices(["/1"]), Self.metered("/1", "eth0", 4))
    #expect(devices.apply(Self.metered("/1", nil, 1)).isEmpty)
    #expect(devices.states == ["eth0": .yes])
    #expect(devices.apply(Self.metered("/1", "eth7", nil)).isEmpty)
    #expect(devices.states == ["eth7": .yes])
    #expect(devices.apply(Self.metered("/9", nil, 1)) == [.properties(device: "/9")])
    #expect(devices.apply(Self.metered("/9", nil, 2)).isEmpty, "it is asked already")
    #expect(!devices.isAnswered)
    #expect(devices.apply(Self.metered("/9", "wlan0", 3)).isEmpty)
    #expect(devices.states == ["eth7": .yes, "wlan0": .guessYes])
    #expect(devices.isAnswered)
  }

  @Test func `a device that is gone has no value any more`() {
    var (devices, _) = Self.after(
      .devices(["/1", "/2"]), Self.metered("/1", "eth0", 1), Self.metered("/2", "eth1", 2))
    #expect(devices.apply(.removed(device: "/1")).isEmpty)
    #expect(devices.states == ["eth1": .no])
    #expect(devices.apply(.vanished).isEmpty)
    #expect(devices.states.isEmpty)
    #expect(devices.isAnswered)
    #expect(devices.apply(.appeared) == [.devices])
    #expect(!devices.isAnswered)
  }

  @Test(
    arguments: [(0, nil), (1, .yes), (2, .no), (3, .guessYes), (4, .guessNo), (5, nil), (4_000_000_000, nil)]
      as [(UInt32, MeteredState?)])
  func `unknown numbers have no value`(number: UInt32, state: MeteredState?) {
    let (devices, _) = Self.after(
      .devices(["/1"]), Self.metered("/1", "eth0", number))
    #expect(devices.states["eth0"] == state)
  }

  @Test func `the connectivity of a device is known by family, and two devices of an interface leave it open`() {
    var (devices, _) = Self.after(
      .checking(true), .devices(["/1", "/2"]), .properties(device: "/1", .init(interface: "eth0", ipv4: 4, ipv6: 3)),
      .properties(device: "/2", .init(interface: "eth1", ipv4: 99)))
    #expect(devices.connectivity == ["eth0": DeviceConnectivity(ipv4: .full, ipv6: .limited)])
    _ = devices.apply(.properties(device: "/1", .init(ipv4: 2)))
    #expect(devices.connectivity["eth0"]?.ipv4 == .portal)
    #expect(devices.states.isEmpty)
    _ = devices.apply(.properties(device: "/2", .init(interface: "eth0", ipv4: 4)))
    #expect(devices.connectivity.isEmpty)
    _ = devices.apply(.removed(device: "/1"))
    #expect(devices.connectivity == ["eth0": DeviceConnectivity(ipv4: .full)])
    _ = devices.apply(.checking(false))
    #expect(devices.connectivity.isEmpty, "without a host to ask, every device with a route is called connected")
  }

  @Test(arguments: ["", "a/b", "..", "a name", "longer-than-a-name-can-be", "\u{7}"])
  func `a device with an impossible interface name has no value`(name: String) {
    let (devices, _) = Self.after(.devices(["/1"]), Self.metered("/1", name, 1))
    #expect(devices.states.isEmpty)
    #expect(devices.isAnswered)
  }

  @Test func `of two devices of an interface the more expensive one applies, whatever the order`() {
    for (first, second) in [(UInt32(1), UInt32(2)), (2, 1)] {
      let (devices, _) = Self.after(
        .devices(["/1", "/2"]), Self.metered("/1", "eth0", first), Self.metered("/2", "eth0", second))
      #expect(devices.states == ["eth0": .yes])
    }
  }

  @Test func `the number of devices is limited, and that some are left out is known`() {
    let names = (0...NetworkManagerDevices.limit).map { "/\($0)" }
    var (devices, questions) = Self.after(.devices(names))
    #expect(questions[0].count == NetworkManagerDevices.limit)
    #expect(devices.leavesOut)
    (devices, questions) = Self.after(.devices(names.dropLast()))
    #expect(!devices.leavesOut)
    #expect(devices.apply(Self.metered("/more", "eth0", 1)).isEmpty)
    #expect(devices.states.isEmpty)
    #expect(devices.leavesOut)
  }
}
