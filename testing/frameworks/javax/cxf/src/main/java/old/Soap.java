package old;

import javax.jws.WebMethod;
import javax.jws.WebParam;
import javax.jws.WebService;
import javax.servlet.ServletConfig;
import javax.xml.ws.Endpoint;
import org.apache.cxf.BusFactory;
import org.apache.cxf.transport.servlet.CXFNonSpringServlet;

/// A SOAP service.
public class Soap extends CXFNonSpringServlet {
    @Override
    public void loadBus(ServletConfig config) {
        super.loadBus(config);
        BusFactory.setDefaultBus(getBus());
        Endpoint.publish("/orders", new Orders());
    }

    /// The service.
    @WebService(targetNamespace = "urn:orders")
    public static class Orders {
        @WebMethod
        public String order(
                @WebParam(name = "item") String item, @WebParam(name = "amount") int amount) {
            return "ordered " + item + " for " + amount * 7;
        }
    }
}
