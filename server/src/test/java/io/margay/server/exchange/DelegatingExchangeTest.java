package io.margay.server.exchange;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import org.junit.jupiter.api.Test;

class DelegatingExchangeTest {
    /// A method that the interface answers by default would not be the client's exchange.
    @Test
    void everyMethod_isThatOfTheClientsExchange() throws NoSuchMethodException {
        for (Method method : DialingExchange.class.getMethods()) {
            if (!Modifier.isStatic(method.getModifiers())) {
                Method own =
                        DelegatingExchange.class.getMethod(
                                method.getName(), method.getParameterTypes());
                assertFalse(own.getDeclaringClass().isInterface(), own::toString);
            }
        }
    }
}
