package io.margay.app.admin;

/// Who asks for a change by way of the admin listener. Immutable.
///
/// @param name user, or that the token was used; as the client says it, fit for a message
/// @param address of the client
/// @param interfaceName by what: the JSON API, or the manager's text interface
public record Operator(String name, String address, String interfaceName) {
    /// As lines of the log say it.
    @Override
    public String toString() {
        return "by " + name + " at " + address + " (" + interfaceName + ")";
    }
}
