package io.margay.servlet.settings;

import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.Handler;
import io.margay.servlet.resource.WebResources;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Rules by which requests are changed or answered before an application is asked. Thread-safe; it
/// never waits.
public interface RequestRewriting {
    /// Applies the rules; what they make of the request's target is the target from then on.
    ///
    /// @param contextPath of the application that would answer
    /// @param files of that application; null = none would
    /// @return what answers in place of an application; null = the application of the target does
    @Nullable Handler rewrite(Exchange exchange, String contextPath, @Nullable WebResources files);

    /// Several, of which the first that answers does; null for none.
    static @Nullable RequestRewriting all(List<RequestRewriting> some) {
        List<RequestRewriting> all = List.copyOf(some);
        return switch (all.size()) {
            case 0 -> null;
            case 1 -> all.getFirst();
            default ->
                    (exchange, contextPath, files) -> {
                        for (RequestRewriting one : all) {
                            Handler answer = one.rewrite(exchange, contextPath, files);
                            if (answer != null) {
                                return answer;
                            }
                        }
                        return null;
                    };
        };
    }
}
