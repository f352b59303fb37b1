<%@ taglib uri="http://struts.apache.org/tags-bean" prefix="bean" %>
<%@ taglib uri="http://struts.apache.org/tags-logic" prefix="logic" %>
<logic:present name="last" scope="session">ordered <bean:write name="last" scope="session"/></logic:present>
for <bean:write name="sum"/>
