// Starts DynamoDB Local on the loopback address alone, on a free port that it prints: its own command takes no address.
import com.amazonaws.services.dynamodbv2.local.main.ServerRunner;
import com.amazonaws.services.dynamodbv2.local.server.DynamoDBProxyServer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

class LoopbackServer {
  public static void main(String[] args) throws Exception {
    String[] options = {"-inMemory", "-sharedDb", "-disableTelemetry", "-port", "8000"};
    DynamoDBProxyServer store = ServerRunner.createServerFromCommandLineArgs(options);
    var field = DynamoDBProxyServer.class.getDeclaredField("server");
    field.setAccessible(true);
    Server server = (Server) field.get(store);
    for (var connector : server.getConnectors()) server.removeConnector(connector);
    ServerConnector loopback = new ServerConnector(server);
    loopback.setHost("127.0.0.1");
    loopback.setPort(0);
    server.addConnector(loopback);
    store.start();
    System.out.println("listening on " + loopback.getLocalPort());
    System.out.flush();
    store.join();
  }
}
