package io.margay.gateway.access;

import io.margay.gateway.access.match.Methods;
import java.util.List;

/// `Order`, `Allow`, `Deny` and `Satisfy` of one section, as mod_access_compat weighs them: the
/// next section with one of these directives takes the place of all of them. Immutable.
///
/// @param orders the last that is about a method counts
/// @param satisfied the same of `Satisfy`
public record OrderedAccess(
        List<Ordering> orders, List<Entry> allowed, List<Entry> denied, List<Satisfied> satisfied) {
    public OrderedAccess {
        orders = List.copyOf(orders);
        allowed = List.copyOf(allowed);
        denied = List.copyOf(denied);
        satisfied = List.copyOf(satisfied);
    }

    /// Which list is asked first: the last that has the client decides.
    public enum Order {
        /// Who is in neither gets in.
        DENY_ALLOW,

        /// Who is in neither stays out.
        ALLOW_DENY,

        /// Who is allowed and not denied gets in.
        MUTUAL_FAILURE
    }

    /// An `Order`.
    public record Ordering(Order order, Methods methods) {}

    /// An `Allow` or `Deny`.
    public record Entry(AccessTerm term, boolean not, Methods methods) {}

    /// A `Satisfy`.
    ///
    /// @param any whether it is enough to be let in by this or by `Require`
    public record Satisfied(boolean any, Methods methods) {}

    /// Whether it lets a request in.
    boolean admits(AccessRequest request) {
        boolean allow = has(allowed, request);
        boolean deny = has(denied, request);
        return switch (order(request.method())) {
            case DENY_ALLOW -> allow || !deny;
            case ALLOW_DENY, MUTUAL_FAILURE -> allow && !deny;
        };
    }

    /// Whether it is enough to be let in by this or by `Require`.
    boolean isEnough(String method) {
        boolean any = false;
        for (Satisfied one : satisfied) {
            any = one.methods.has(method) ? one.any : any;
        }
        return any;
    }

    private Order order(String method) {
        Order order = Order.DENY_ALLOW;
        for (Ordering one : orders) {
            order = one.methods.has(method) ? one.order : order;
        }
        return order;
    }

    private static boolean has(List<Entry> entries, AccessRequest request) {
        for (Entry entry : entries) {
            if (entry.methods.has(request.method()) && entry.term.holds(request) != entry.not) {
                return true;
            }
        }
        return false;
    }
}
