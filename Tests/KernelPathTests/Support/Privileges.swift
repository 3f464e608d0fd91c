internal import Glibc

/// Whether the tests may make network namespaces.
package let isRoot = geteuid() == 0

/// Why a test is skipped without root.
package let needsRoot = "needs root for a network namespace of its own"
