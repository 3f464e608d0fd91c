internal import Glibc

/// The kind, the owner and the permissions of a file. A symbolic link is not followed.
package struct FileRights: Hashable, Sendable {
  /// The kind of a file.
  package enum Kind: Hashable, Sendable {
    case regular, directory, other
  }

  /// The kind of the file.
  package var kind: Kind
  /// The number of its owner.
  package var owner: UInt32
  /// The permissions, with the bits for setuid, setgid and sticky: `st_mode` without the kind.
  package var mode: UInt32

  /// Rights as given.
  package init(kind: Kind, owner: UInt32, mode: UInt32) {
    (self.kind, self.owner, self.mode) = (kind, owner, mode)
  }

  /// The rights of the file at the path.
  package init(_ path: String) throws(SystemError) {
    var status = stat()
    try systemCall("look at \(path)") { unsafe lstat(path, &status) }
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .directory
      default: .other
      }
    owner = status.st_uid
    mode = status.st_mode & 0o7777
  }

  /// Whether the group or everybody may write to it.
  package var isWritableByOthers: Bool { mode & 0o022 != 0 }
  /// Whether only the owner of a file in the directory may remove or rename the file: the sticky bit.
  package var isSticky: Bool { mode & 0o1000 != 0 }
  /// Whether anybody may execute it.
  package var isExecutable: Bool { mode & 0o111 != 0 }
  /// Whether it runs with the rights of its owner or its group.
  package var hasSpecialBits: Bool { mode & 0o6000 != 0 }
}
