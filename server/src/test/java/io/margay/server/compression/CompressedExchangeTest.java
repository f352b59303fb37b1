package io.margay.server.compression;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.server.exchange.DialingExchange;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import org.junit.jupiter.api.Test;

class CompressedExchangeTest {
    /// A method that the interface answers by default would not be the client's exchange.
    @Test
    void everyMethod_isThatOfTheClientsExchange() throws NoSuchMethodException {
        for (Method method : DialingExchange.class.getMethods()) {
            if (!Modifier.isStatic(method.getModifiers())) {
                Method own =
                        CompressedExchange.class.getDeclaredMethod(
                                method.getName(), method.getParameterTypes());
                assertEquals(method.getName(), own.getName());
            }
        }
    }
}
