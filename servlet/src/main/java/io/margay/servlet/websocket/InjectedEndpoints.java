package io.margay.servlet.websocket;

import io.margay.servlet.inject.BeanLoader;
import io.margay.servlet.inject.Beans;
import java.lang.reflect.Constructor;
import org.glassfish.tyrus.core.ComponentProvider;

/// Makes endpoints, encoders and decoders of applications, and gives them their resources and
/// beans. Stateless; found by Tyrus as a service.
public final class InjectedEndpoints extends ComponentProvider {
    @Override
    public boolean isApplicable(Class<?> type) {
        return type.getClassLoader() instanceof BeanLoader;
    }

    @Override
    public <T> Object create(Class<T> type) {
        try {
            Constructor<T> constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            T made = constructor.newInstance();
            Beans.of(type.getClassLoader()).life().created(made);
            return made;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(type.getName() + " cannot be created", e);
        }
    }

    @Override
    public boolean destroy(Object made) {
        return false; // It may be another provider's; what it depends on goes with it.
    }
}
