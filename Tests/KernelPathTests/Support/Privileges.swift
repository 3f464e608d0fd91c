internal import ProcessTestSupport

/// Whether the tests may make network namespaces.
package let isRoot = mayMakeNamespaces

/// Why a test is skipped without root.
package let needsRoot = needsNamespaces
