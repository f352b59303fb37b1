package io.margay.gateway.forward;

import io.margay.gateway.login.AuthService;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.ExchangeNotes;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Fields of requests to services, and of the client's request before and after. Stateless.
public final class SubrequestFields {
    /// What is about the content of the client's request, which the service does not get, or would
    /// have it answer otherwise than with what it says.
    private static final Set<String> LEFT_OUT =
            Set.of(
                    "accept-encoding",
                    "content-encoding",
                    "content-length",
                    "content-type",
                    "expect",
                    "if-match",
                    "if-modified-since",
                    "if-none-match",
                    "if-range",
                    "if-unmodified-since",
                    "range",
                    "transfer-encoding");

    /// What of it changes nothing of what a service says.
    private static final Set<String> ASKED = Set.of("accept-encoding", "content-type");

    private SubrequestFields() {}

    /// Of the request to a service: those of the client, but for what tells of content.
    static Fields of(Exchange exchange, AuthService service) {
        Fields received = exchange.notes().fields(exchange.request().fields());
        Fields.Builder made = new Fields.Builder();
        for (int i = 0; i < received.size(); i++) {
            String name = received.name(i).toLowerCase(Locale.ROOT);
            if (!LEFT_OUT.contains(name) || (service.telling() != null && ASKED.contains(name))) {
                made.add(received.name(i), received.value(i));
            }
        }
        return made.build();
    }

    /// Those of a client, with fields of a service's answer in the place of its own.
    static Fields copied(Fields received, List<String> names, FieldList answer) {
        Set<String> reserved = new LinkedHashSet<>();
        names.forEach(name -> reserved.add(AuthService.canonical(name)));
        Fields.Builder made = new Fields.Builder();
        without(received, reserved, made);
        for (String name : names) {
            answer.all(name).forEach(value -> made.add(name, value));
        }
        return made.build();
    }

    /// Those of a client, without names that are not for it to say; null where it has none.
    ///
    /// @param reserved as [AuthService#canonical]
    public static @Nullable Fields without(Fields received, Set<String> reserved) {
        for (int i = 0; i < received.size(); i++) {
            boolean listed = received.nameIs(i, "connection");
            if (listed || ExchangeNotes.isAmong(received.name(i), reserved)) {
                Fields.Builder made = new Fields.Builder();
                without(received, reserved, made);
                return made.build();
            }
        }
        return null;
    }

    /// A client must not have a field end here either that it cannot send.
    private static void without(Fields received, Set<String> reserved, Fields.Builder to) {
        for (int i = 0; i < received.size(); i++) {
            String name = received.name(i);
            if (received.nameIs(i, "connection")) {
                String kept = kept(received.value(i), reserved);
                if (!kept.isEmpty()) {
                    to.add(name, kept);
                }
            } else if (!ExchangeNotes.isAmong(name, reserved)) {
                to.add(name, received.value(i));
            }
        }
    }

    private static String kept(String options, Set<String> reserved) {
        List<String> kept =
                List.of(options.split(",")).stream()
                        .map(String::strip)
                        .filter(one -> !ExchangeNotes.isAmong(one, reserved))
                        .toList();
        return String.join(", ", kept);
    }
}
