internal import CNetlink
package import PathDecisions
package import PathModel

/// The classic BPF program that the kernel runs on each message before it wakes us.
///
/// Of the route messages it passes only those whose prefix contains a probe address or the server of a tunnel, because
/// no other route can change the answer. A router that takes a full table thus costs nothing. IPv6 prefixes are
/// compared by their first 32 bits, so a few more messages pass than necessary. Local routes pass as well: they decide
/// which addresses are the machine's own, so the source of a packet may depend on any of them. Of the messages about
/// neighbours it passes those about the routers by which the kernel chooses routes. IPv6 routers are compared by their
/// last 32 bits. All other messages pass.
///
/// Never attach it to a socket that asks questions: it also filters answers and dumps, and drops the end of a dump.
package enum CoverFilter {
  /// One instruction, `struct sock_filter`.
  package struct Instruction: Hashable, Sendable {
    /// The operation, `BPF_…` in `linux/bpf_common.h`.
    package var code: UInt16
    /// The number of instructions to skip when a comparison holds.
    package var ifTrue: UInt8 = 0
    /// The number of instructions to skip when it does not.
    package var ifFalse: UInt8 = 0
    /// The operand.
    package var operand: UInt32 = 0

    /// The 8 bytes of the structure, as one number in the order of memory.
    var encoded: UInt64 {
      #if _endian(big)
        UInt64(code) << 48 | UInt64(ifTrue) << 40 | UInt64(ifFalse) << 32 | UInt64(operand)
      #else
        UInt64(code) | UInt64(ifTrue) << 16 | UInt64(ifFalse) << 24 | UInt64(operand) << 32
      #endif
    }
  }

  /// The operations that the program uses: the class, size and source of each code.
  package enum Operation {
    package static let loadByte = UInt16(BPF_LD | BPF_B | BPF_ABS)
    /// Two bytes as a big-endian number.
    package static let loadHalf = UInt16(BPF_LD | BPF_H | BPF_ABS)
    /// Four bytes, or with `SKF_AD_OFF` an extension.
    package static let loadWord = UInt16(BPF_LD | BPF_W | BPF_ABS)
    /// Four bytes at X plus the operand.
    package static let loadWordAtIndex = UInt16(BPF_LD | BPF_W | BPF_IND)
    package static let loadConstant = UInt16(BPF_LD | BPF_IMM)
    package static let loadIndexConstant = UInt16(BPF_LDX | BPF_IMM)
    package static let loadMemory = UInt16(BPF_LD | BPF_MEM)
    package static let loadIndexMemory = UInt16(BPF_LDX | BPF_MEM)
    package static let store = UInt16(BPF_ST)
    package static let copyToIndex = UInt16(BPF_MISC | BPF_TAX)
    package static let add = UInt16(BPF_ALU | BPF_ADD | BPF_K)
    package static let subtractIndex = UInt16(BPF_ALU | BPF_SUB | BPF_X)
    package static let exclusiveOr = UInt16(BPF_ALU | BPF_XOR | BPF_K)
    package static let shiftRightByIndex = UInt16(BPF_ALU | BPF_RSH | BPF_X)
    package static let jumpIfEqual = UInt16(BPF_JMP | BPF_JEQ | BPF_K)
    package static let jumpIfAtLeast = UInt16(BPF_JMP | BPF_JGE | BPF_K)
    package static let jump = UInt16(BPF_JMP | BPF_JA)
    package static let `return` = UInt16(BPF_RET | BPF_K)
  }

  /// Loads the offset of the attribute of type X that is at A or behind; 0 for none.
  package static let findAttribute = UInt32(bitPattern: SKF_AD_OFF + SKF_AD_NLATTR)

  /// The offsets of fields in a route message: `struct nlmsghdr`, `struct rtmsg`, attributes.
  private enum Offset {
    static let type: UInt32 = 4
    static let family: UInt32 = 16
    static let prefixLength: UInt32 = 17
    static let routeType: UInt32 = 23
    static let attributes: UInt32 = 28
    /// In a message about a neighbour, whose `struct ndmsg` is as long as `struct rtmsg`: `ndm_state`.
    static let neighbourState: UInt32 = 24
  }

  private static let accept = Instruction(code: Operation.return, operand: .max)
  private static let drop = Instruction(code: Operation.return, operand: 0)

  /// The program for these probes and routers.
  package static func program(
    for probes: ProbeAddresses, routers: RouterWatch = RouterWatch()
  ) -> [Instruction] {
    func destinations(_ family: IPAddress.Family) -> [IPAddress] {
      probes[family] + routers.servers.filter { $0.family == family }
    }
    let ipv4 = covers(destinations(.ipv4).map { UInt32(truncatingIfNeeded: $0.low) })
    let ipv6 = covers(destinations(.ipv6).map { UInt32(truncatingIfNeeded: $0.high >> 32) })
    let neighbours = matches(routers)
    // Jumps on a condition reach 255 instructions, others any number.
    return [
      // The load takes the type as big-endian, the message has it in host order.
      Instruction(code: Operation.loadHalf, operand: Offset.type),
      Instruction(code: Operation.jumpIfEqual, ifTrue: 5, operand: UInt32(UInt16(RTM_NEWROUTE).bigEndian)),
      Instruction(code: Operation.jumpIfEqual, ifTrue: 4, operand: UInt32(UInt16(RTM_DELROUTE).bigEndian)),
      Instruction(code: Operation.jumpIfEqual, ifTrue: 2, operand: UInt32(UInt16(RTM_NEWNEIGH).bigEndian)),
      Instruction(code: Operation.jumpIfEqual, ifTrue: 1, operand: UInt32(UInt16(RTM_DELNEIGH).bigEndian)),
      accept,
      Instruction(code: Operation.jump, operand: UInt32(9 + ipv4.count + ipv6.count)),
      Instruction(code: Operation.loadByte, operand: Offset.routeType),
      Instruction(code: Operation.jumpIfEqual, ifFalse: 1, operand: UInt32(RouteType.local)),
      accept,
      Instruction(code: Operation.loadByte, operand: Offset.family),
      Instruction(code: Operation.jumpIfEqual, ifTrue: 3, operand: UInt32(IPAddress.Family.ipv6.rawValue)),
      Instruction(code: Operation.jumpIfEqual, ifTrue: 1, operand: UInt32(IPAddress.Family.ipv4.rawValue)),
      accept,
      Instruction(code: Operation.jump, operand: 1),
      Instruction(code: Operation.jump, operand: UInt32(ipv4.count)),
    ] + ipv4 + ipv6 + neighbours
  }

  /// Accepts messages about a rival router, and those about the failure of a current one. Of an awaited router it
  /// accepts those with a hardware address, and of a router that answers those with another one. It drops all others.
  private static func matches(_ routers: RouterWatch) -> [Instruction] {
    if routers.isEmpty, routers.awaited.isEmpty { return [drop] }
    let address = [
      // memory[0] = the last 32 bits of the neighbour's address.
      Instruction(code: Operation.loadByte, operand: Offset.family),
      Instruction(code: Operation.jumpIfEqual, ifTrue: 2, operand: UInt32(IPAddress.Family.ipv6.rawValue)),
      Instruction(code: Operation.loadWordAtIndex, operand: 4),
      Instruction(code: Operation.jump, operand: 1),
      Instruction(code: Operation.loadWordAtIndex, operand: 16),
      Instruction(code: Operation.store, operand: 0),
    ]
    let current = accepts(routers.current) + [drop]
    let state = [
      // The message about a removed router has no state that reports the loss, so it passes, too.
      Instruction(code: Operation.loadHalf, operand: Offset.type),
      Instruction(code: Operation.jumpIfEqual, ifTrue: 5, operand: UInt32(UInt16(RTM_DELNEIGH).bigEndian)),
      Instruction(code: Operation.loadHalf, operand: Offset.neighbourState),
      Instruction(code: Operation.jumpIfEqual, ifTrue: 3, operand: UInt32(UInt16(NUD_FAILED).bigEndian)),
      Instruction(code: Operation.jumpIfEqual, ifFalse: 1, operand: UInt32(UInt16(NUD_INCOMPLETE).bigEndian)),
      drop,
      Instruction(code: Operation.jump, operand: UInt32(current.count)),
    ]
    return find(RTA_DST.rawValue, orElse: drop) + address + accepts(routers.rivals) + state + current
      + accepts(routers.awaited) + accepts(otherThan: routers.hardwareTails) + [drop]
  }

  /// Accepts when memory[0] equals the last bits of any of the addresses, and the end of the hardware address differs.
  private static func accepts(otherThan tails: [IPAddress: UInt32]) -> [Instruction] {
    let end = [
      Instruction(code: Operation.loadWordAtIndex, operand: 6),
      Instruction(code: Operation.store, operand: 1),
    ]
    let known = tails.prefix(RouterWatch.limit).flatMap { address, tail in
      [
        Instruction(code: Operation.loadMemory, operand: 0),
        Instruction(code: Operation.jumpIfEqual, ifFalse: 3, operand: UInt32(truncatingIfNeeded: address.low)),
        Instruction(code: Operation.loadMemory, operand: 1),
        Instruction(code: Operation.jumpIfEqual, ifTrue: 1, operand: tail),
        accept,
      ]
    }
    return known.isEmpty ? [] : find(UInt32(NDA_LLADDR), orElse: drop) + end + known
  }

  /// Loads the offset of the attribute of this type into X, or ends.
  private static func find(_ type: UInt32, orElse end: Instruction) -> [Instruction] {
    [
      Instruction(code: Operation.loadIndexConstant, operand: type),
      Instruction(code: Operation.loadConstant, operand: Offset.attributes),
      Instruction(code: Operation.loadWord, operand: findAttribute),
      Instruction(code: Operation.jumpIfEqual, ifFalse: 1, operand: 0),
      end,
      Instruction(code: Operation.copyToIndex),
    ]
  }

  /// Accepts when memory[0] equals the last bits of any of the addresses.
  private static func accepts(_ addresses: [IPAddress]) -> [Instruction] {
    addresses.prefix(RouterWatch.limit).flatMap { address in
      [
        Instruction(code: Operation.loadMemory, operand: 0),
        Instruction(code: Operation.jumpIfEqual, ifFalse: 1, operand: UInt32(truncatingIfNeeded: address.low)),
        accept,
      ]
    }
  }

  /// Accepts when the destination prefix contains any of the 32-bit probe prefixes, else drops.
  private static func covers(_ probes: [UInt32]) -> [Instruction] {
    var program = [
      Instruction(code: Operation.loadByte, operand: Offset.prefixLength),
      Instruction(code: Operation.jumpIfEqual, ifFalse: 1, operand: 0),
      accept,
      // memory[0] = 32 - min(length, 32): how far both sides are shifted before they are compared.
      Instruction(code: Operation.jumpIfAtLeast, ifTrue: 0, ifFalse: 1, operand: 32),
      Instruction(code: Operation.loadConstant, operand: 32),
      Instruction(code: Operation.copyToIndex),
      Instruction(code: Operation.loadConstant, operand: 32),
      Instruction(code: Operation.subtractIndex),
      Instruction(code: Operation.store, operand: 0),
    ]
    program += find(RTA_DST.rawValue, orElse: accept)
    program += [
      // memory[1] = the first 32 bits of the destination.
      Instruction(code: Operation.loadWordAtIndex, operand: 4),
      Instruction(code: Operation.store, operand: 1),
      Instruction(code: Operation.loadIndexMemory, operand: 0),
    ]
    for probe in probes {
      program += [
        Instruction(code: Operation.loadMemory, operand: 1),
        Instruction(code: Operation.exclusiveOr, operand: probe),
        Instruction(code: Operation.shiftRightByIndex),
        Instruction(code: Operation.jumpIfEqual, ifFalse: 1, operand: 0),
        accept,
      ]
    }
    return program + [drop]
  }
}
